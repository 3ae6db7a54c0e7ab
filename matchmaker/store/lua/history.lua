-- A player's last results and what they changed, newest first.
--
-- KEYS: states, history, log, changes, annulled, cursor
-- ARGV: player, how many
-- Returns {"unknown"}
--       | {"history", cursor, for each result: log id, log entry, packed change, log id and entry of its annulment or
--         nil twice, ...}

local states, history, log, changes, annulled, cursor = unpack(KEYS)
local player, limit = ARGV[1], tonumber(ARGV[2])

if redis.call('HEXISTS', states, player) == 0 then
  return {'unknown'}
end
local reply = {'history', redis.call('GET', cursor) or '0-0'}
if limit == 0 then
  return reply
end
for _, id in ipairs(redis.call('LRANGE', history, 0, limit - 1)) do
  local entry = redis.call('XRANGE', log, id, id)[1]
  local change = redis.call('XRANGE', changes, id, id)[1]
  if entry and change then
    local annul = redis.call('HGET', annulled, id)
    local at = #reply
    reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4] = id, entry[2][2], change[2][2], annul
    reply[at + 5] = annul and redis.call('XRANGE', log, annul, annul)[1][2][2]
  end
end
return reply
