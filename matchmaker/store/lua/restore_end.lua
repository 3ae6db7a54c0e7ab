-- The ladder is complete: from now on everybody sees it.
--
-- KEYS: ladder, restoring
-- ARGV: revision, settings as JSON
-- Returns {"stale"} | {"done"}

local ladder, restoring = unpack(KEYS)

if redis.call('HGET', ladder, 'revision') ~= ARGV[1] then
  return {'stale'}
end
redis.call('HSET', ladder, 'body', ARGV[2])
redis.call('HDEL', ladder, 'restoring', 'kept')
redis.call('HINCRBY', ladder, 'revision', 1)
redis.call('DEL', restoring)
return {'done'}
