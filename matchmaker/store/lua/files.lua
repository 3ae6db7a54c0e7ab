-- The files on a shelf of a ladder's archive, without those that the caller knows.
--
-- KEYS: files of the shelf
-- ARGV: number of files that the caller knows, the last of them
-- Returns {number of known files that are right, file, ...}
--
-- The list only grows, as long as it is the same one: another generation, or another ladder of that name, has its own.

local files = KEYS[1]
local known = tonumber(ARGV[1])

if redis.call('LINDEX', files, known - 1) ~= ARGV[2] then
  known = 0
end
local reply = {known}
for _, file in ipairs(redis.call('LRANGE', files, known, -1)) do
  reply[#reply + 1] = file
end
return reply
