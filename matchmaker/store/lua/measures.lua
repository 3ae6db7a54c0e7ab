-- What moderators did to a player, newest first, and what the fold made of it.
--
-- KEYS: states, measures of the player, log, changes
-- ARGV: player, how many
-- Returns {"unknown"}
--       | {"measures", log id, kind, log entry, packed adjustment or nil, ...}; what the streams do not hold (any more)
--         is nil

local states, measures, log, changes = unpack(KEYS)
local player, limit = ARGV[1], tonumber(ARGV[2])

if redis.call('HEXISTS', states, player) == 0 then
  return {'unknown'}
end
local reply = {'measures'}
for _, id in ipairs(limit > 0 and redis.call('LRANGE', measures, 0, limit - 1) or {}) do
  local entry = redis.call('XRANGE', log, id, id)[1]
  local change = redis.call('XRANGE', changes, id, id)[1]
  local at = #reply
  reply[at + 1], reply[at + 2], reply[at + 3] = id, entry and entry[2][1] or false, entry and entry[2][2] or false
  reply[at + 4] = change and change[2][2] or false
end
return reply
