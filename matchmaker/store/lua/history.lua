-- A player's last results and what they changed, newest first.
--
-- KEYS: states, history, log, changes
-- ARGV: player, how many
-- Returns {"unknown"} | {"history", log id, log entry, packed change, ...}

local states, history, log, changes = unpack(KEYS)
local player, limit = ARGV[1], tonumber(ARGV[2])

if redis.call('HEXISTS', states, player) == 0 then
  return {'unknown'}
end
local reply = {'history'}
if limit == 0 then
  return reply
end
for _, id in ipairs(redis.call('LRANGE', history, 0, limit - 1)) do
  local entry = redis.call('XRANGE', log, id, id)[1]
  local change = redis.call('XRANGE', changes, id, id)[1]
  if entry and change then
    local at = #reply
    reply[at + 1], reply[at + 2], reply[at + 3] = id, entry[2][2], change[2][2]
  end
end
return reply
