-- A player's last results and what they changed, newest first.
--
-- KEYS: states, history, log, changes, annulled, cursor
-- ARGV: player, how many
-- Returns {"unknown"}
--       | {"history", cursor, for each result: log id, log entry, packed change, log id and entry of its annulment or
--         nil twice, ...}; what the streams do not hold (any more) is nil

local states, history, log, changes, annulled, cursor = unpack(KEYS)
local player, limit = ARGV[1], tonumber(ARGV[2])

local function text(stream, id)
  local entry = redis.call('XRANGE', stream, id, id)[1]
  return entry and entry[2][2] or false
end

if redis.call('HEXISTS', states, player) == 0 then
  return {'unknown'}
end
local reply = {'history', redis.call('GET', cursor) or '0-0'}
if limit == 0 then
  return reply
end
for _, id in ipairs(redis.call('LRANGE', history, 0, limit - 1)) do
  local annul = redis.call('HGET', annulled, id)
  local at = #reply
  reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4] = id, text(log, id), text(changes, id), annul
  reply[at + 5] = annul and text(log, annul)
end
return reply
