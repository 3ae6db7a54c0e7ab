-- A ladder is about to be brought in from a file. Until it is complete nobody else can see it or write to it.
--
-- KEYS: ladder, states, ids, log, cursor, changes, counters, restoring, then the keys of the previous generation
-- ARGV: milliseconds for which the one who brings it in need not be heard of
-- Returns {"taken"}: it holds players already | {"busy"}: somebody brings it in right now
--       | {"unfinished"}: somebody began to, and is gone | {"begun", revision}
--
-- A ladder that holds no player has no log but for changes of its settings, which the file brings anew.

local ladder, states, ids, log, cursor, changes, counters, restoring = unpack(KEYS, 1, 8)
local FIRST_PREVIOUS = 9

if redis.call('HEXISTS', ladder, 'restoring') == 1 then
  return {redis.call('EXISTS', restoring) == 1 and 'busy' or 'unfinished'}
end
if redis.call('HLEN', states) > 0 or redis.call('HLEN', ids) > 0 then
  return {'taken'}
end
redis.call('DEL', log, cursor, changes, counters, unpack(KEYS, FIRST_PREVIOUS))
redis.call('HDEL', ladder, 'eras', 'previous')
local body = redis.call('HGET', ladder, 'body')
if body then
  redis.call('HSET', ladder, 'kept', body)
  redis.call('HDEL', ladder, 'body')
end
redis.call('HSET', ladder, 'restoring', '1')
redis.call('SET', restoring, '1', 'PX', ARGV[1])
return {'begun', tostring(redis.call('HINCRBY', ladder, 'revision', 1))}
