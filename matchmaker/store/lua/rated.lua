-- Entries and what the fold made of them, by their places in the log.
--
-- KEYS: log, changes
-- ARGV: log ids
-- Returns {log id, log entry or nil, packed change or nil, ...}: nil is what the streams do not hold (any more)

local log, changes = unpack(KEYS)

local reply = {}
for _, id in ipairs(ARGV) do
  local entry = redis.call('XRANGE', log, id, id)[1]
  local change = redis.call('XRANGE', changes, id, id)[1]
  local at = #reply
  reply[at + 1], reply[at + 2], reply[at + 3] = id, entry and entry[2][2] or false, change and change[2][2] or false
end
return reply
