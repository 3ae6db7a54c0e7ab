-- Whether a log holds an entry, or has given it to the archive.
--
-- KEYS: log
-- ARGV: log id
-- Returns 1 | 0
--
-- What stood before all entries of the log was archived: whatever else happens to a log, a beginning of it stays.

local log, id = KEYS[1], ARGV[1]

if #redis.call('XRANGE', log, id, id) > 0 then
  return 1
end
local before = #redis.call('XRANGE', log, '-', id, 'COUNT', 1)
local behind = #redis.call('XRANGE', log, id, '+', 'COUNT', 1)
return before == 0 and behind > 0 and 1 or 0
