-- A folding job goes to rest, if nothing is left to fold.
--
-- KEYS: cursor, log, awake
-- Returns 1 | 0: there is more to fold

local cursor, log, awake = unpack(KEYS)

local seen = redis.call('GET', cursor) or '0-0'
if #redis.call('XRANGE', log, '(' .. seen, '+', 'COUNT', 1) > 0 then
  return 0
end
redis.call('DEL', awake)
return 1
