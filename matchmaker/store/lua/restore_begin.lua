-- A ladder is about to be brought in from a file. Until it is complete nobody else can see it or write to it.
--
-- KEYS: ladder, states, ids, log, cursor, changes, counters, restoring, then the keys of the previous generation and of
--       the archive
-- ARGV: milliseconds for which the one who brings it in need not be heard of, fingerprint of the file, word of that one
-- Returns {"taken"}: it holds players already | {"busy"}: somebody brings it in right now
--       | {"unfinished"}: somebody began to with another file, and is gone
--       | {"begun", revision}, also if that was begun with this file by somebody who is gone: what was written is there;
--         and also when it is sent again because the answer was lost
--
-- A ladder that holds no player has no log but for changes of its settings, which the file brings anew. With every new
-- revision whoever else may still be at work on the same ladder is fenced off.

local ladder, states, ids, log, cursor, changes, counters, restoring = unpack(KEYS, 1, 8)
local FIRST_OTHER = 9

local lease_ms, fingerprint, word = unpack(ARGV)
local begun, holder = redis.call('HGET', ladder, 'restoring'), redis.call('GET', restoring)
if begun then
  if holder and holder ~= word then
    return {'busy'}
  elseif begun ~= fingerprint then
    return {'unfinished'}
  end
else
  if redis.call('HLEN', states) > 0 or redis.call('HLEN', ids) > 0 then
    return {'taken'}
  end
  redis.call('DEL', log, cursor, changes, counters, unpack(KEYS, FIRST_OTHER))
  redis.call('HDEL', ladder, 'eras', 'previous')
  local body = redis.call('HGET', ladder, 'body')
  if body then
    redis.call('HSET', ladder, 'kept', body)
    redis.call('HDEL', ladder, 'body')
  end
  redis.call('HSET', ladder, 'restoring', fingerprint)
end
redis.call('SET', restoring, word, 'PX', lease_ms)
return {'begun', tostring(redis.call('HINCRBY', ladder, 'revision', 1))}
