-- A moderator closes a dispute, once.
--
-- KEYS: disputes, queue of open disputes, queue of those that were closed like this
-- ARGV: player/result, the dispute as it was read, the same with its end, now (ms)
-- Returns "closed" | "changed": the dispute is not (any more) what was read

local disputes, open, closed = unpack(KEYS)
local name, read, written, now = unpack(ARGV)

if redis.call('HGET', disputes, name) ~= read then
  return 'changed'
end
redis.call('HSET', disputes, name, written)
redis.call('ZREM', open, name)
redis.call('ZADD', closed, now, name)
return 'closed'
