-- A player disputes what a result did to it, once.
--
-- KEYS: disputes, queue of open disputes, counters
-- ARGV: player/result, what is disputed, now (ms), the counter of its kind
-- Returns {"filed"} | {"known", the dispute that is there}

local disputes, queue, counters = unpack(KEYS)
local name, text, now, counter = unpack(ARGV)

if redis.call('HSETNX', disputes, name, text) == 0 then
  return {'known', redis.call('HGET', disputes, name)}
end
redis.call('ZADD', queue, now, name)
redis.call('HINCRBY', counters, counter, 1)
return {'filed'}
