-- Rated results by their places in the log.
--
-- KEYS: log, changes
-- ARGV: log ids
-- Returns {log id, log entry, packed change, ...}, without what is no result or not rated

local log, changes = unpack(KEYS)

local reply = {}
for _, id in ipairs(ARGV) do
  local entry = redis.call('XRANGE', log, id, id)[1]
  local change = redis.call('XRANGE', changes, id, id)[1]
  if entry and change and entry[2][1] == 'result' then
    local at = #reply
    reply[at + 1], reply[at + 2], reply[at + 3] = id, entry[2][2], change[2][2]
  end
end
return reply
