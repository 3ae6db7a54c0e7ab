-- The ladder is complete: from now on everybody sees it.
--
-- KEYS: ladder, restoring
-- ARGV: revision, settings as JSON, eras as JSON
-- Returns {"stale"} | {"done"}, also when it is sent again because the answer was lost

local ladder, restoring = unpack(KEYS)

local revision, body, begun = unpack(redis.call('HMGET', ladder, 'revision', 'body', 'restoring'))
if revision ~= ARGV[1] then
  local is_repeated = not begun and body == ARGV[2] and revision == string.format('%.0f', ARGV[1] + 1)
  return {is_repeated and 'done' or 'stale'}
end
redis.call('HSET', ladder, 'body', ARGV[2])
if ARGV[3] ~= '[]' then
  redis.call('HSET', ladder, 'eras', ARGV[3])
end
redis.call('HDEL', ladder, 'restoring', 'kept')
redis.call('HINCRBY', ladder, 'revision', 1)
redis.call('DEL', restoring)
return {'done'}
