-- Accepts results into the log, each id once. With the last two keys, closes the battle that it settles.
--
-- KEYS: ladder, states, ids, log, awake [, battle, open]
-- ARGV: revision, milliseconds awake, now (ms), then for each result:
--       digest of its id, digest of its content, initiator, opponent, log entry
-- Returns {"stale"}
--       | {"gone"} | {"expired"} | {"cancelled"}: the battle takes no result; nothing changed
--       | {"done", 1 if a folding job must be called else 0, word of the first result, ...}, the words being
--         "+" log id: accepted; "=" log id: a duplicate; "!": conflict; "?" player: not in the ladder

local ladder, states, ids, log, awake, battle, open = unpack(KEYS)
local revision, awake_ms, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
local CONTENT_SIZE = 16

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end

local function accept(id, content, initiator, opponent, entry)
  local known = redis.call('HGET', ids, id)
  if known then
    local same = known:sub(1, CONTENT_SIZE) == content
    return same and '=' .. known:sub(CONTENT_SIZE + 1) or '!'
  end
  for _, player in ipairs({initiator, opponent}) do
    if redis.call('HEXISTS', states, player) == 0 then
      return '?' .. player
    end
  end
  local log_id = redis.call('XADD', log, '*', 'result', entry)
  redis.call('HSET', ids, id, content .. log_id)
  return '+' .. log_id
end

if battle and redis.call('HEXISTS', ids, ARGV[4]) == 0 then
  local status, expires = unpack(redis.call('HMGET', battle, 'status', 'expires'))
  if not status then
    return {'gone'}
  elseif status == 'cancelled' then
    return {'cancelled'}
  elseif tonumber(expires) <= now then
    return {'expired'}
  end
end

local reply, accepted = {'done', 0}, false
for i = 4, #ARGV, 5 do
  local word = accept(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4])
  accepted = accepted or word:sub(1, 1) == '+'
  reply[#reply + 1] = word
end

if battle and reply[3]:match('^[+=]') then
  local status, challenger, battle_id = unpack(redis.call('HMGET', battle, 'status', 'challenger', 'id'))
  if status == 'open' then
    redis.call('HSET', battle, 'status', 'reported', 'entry', reply[3]:sub(2))
    redis.call('HDEL', battle, 'pool')
    local pointer = redis.call('HGET', open, challenger)
    if pointer and pointer:match('^%S+') == battle_id then
      redis.call('HDEL', open, challenger)
    end
  end
end
if accepted and redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) then
  reply[2] = 1
end
return reply
