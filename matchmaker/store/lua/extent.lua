-- How far the log goes.
--
-- KEYS: log
-- Returns {number of entries, id of the last, or "0-0"}

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
return {redis.call('XLEN', KEYS[1]), last and last[1] or '0-0'}
