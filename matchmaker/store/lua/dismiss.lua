-- A moderator dismisses a flag; doing it again is fine, the last note counts.
--
-- KEYS: flags, dismissals, queue of all flags, queue of this flag
-- ARGV: flag/player, who dismisses it, why
-- Returns {"unknown"}: it was never raised | {"dismissed", the dismissal}
--
-- The time is the one that ids of log entries come from: what the log takes later is new evidence.

local flags, dismissals, queue, own_queue = unpack(KEYS)
local flag, by, note = unpack(ARGV)

if redis.call('HDEL', flags, flag) == 0 and redis.call('HEXISTS', dismissals, flag) == 0 then
  return {'unknown'}
end
redis.call('ZREM', queue, flag)
redis.call('ZREM', own_queue, flag)
local now = redis.call('TIME')
local dismissal = cjson.encode({by = by, note = note, at = now[1] * 1000 + math.floor(now[2] / 1000)})
redis.call('HSET', dismissals, flag, dismissal)
return {'dismissed', dismissal}
