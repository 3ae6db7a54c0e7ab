-- A ladder that was not brought in completely goes; what it was before, an empty one or none, comes back.
-- The histories of its players must be gone already.
--
-- KEYS: ladder, then all its other keys
-- Returns 1 | 0: it was complete, nothing happened

local ladder = KEYS[1]

if redis.call('HEXISTS', ladder, 'restoring') == 0 then
  return 0
end
redis.call('DEL', unpack(KEYS, 2))
local kept = redis.call('HGET', ladder, 'kept')
if kept then
  redis.call('HSET', ladder, 'body', kept)
  redis.call('HDEL', ladder, 'restoring', 'kept')
  redis.call('HINCRBY', ladder, 'revision', 1)
else
  redis.call('DEL', ladder)
end
return 1
