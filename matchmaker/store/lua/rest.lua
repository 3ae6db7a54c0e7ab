-- A folding job goes to rest, if nothing is left to fold.
--
-- KEYS: cursor, log, awake, counters
-- Returns 1 | 0: there is more to fold
--
-- At this point all that was ever added is folded, so the count of folded entries is set straight here.

local cursor, log, awake, counters = unpack(KEYS)

local seen = redis.call('GET', cursor) or '0-0'
if #redis.call('XRANGE', log, '(' .. seen, '+', 'COUNT', 1) > 0 then
  return 0
end
if redis.call('EXISTS', log) == 1 then
  local about = redis.call('XINFO', 'STREAM', log)
  for i = 1, #about, 2 do
    if about[i] == 'entries-added' then
      redis.call('HSET', counters, 'folded', about[i + 1])
    end
  end
end
redis.call('DEL', awake)
return 1
