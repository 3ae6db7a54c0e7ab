-- Finds out whether the log has outrun the cursor while nobody is awake to fold it.
--
-- KEYS: cursor, log, awake
-- ARGV: milliseconds awake
-- Returns 1 if a folding job must be called (the ladder counts as awake from now) | 0

local cursor, log, awake = unpack(KEYS)

local seen = redis.call('GET', cursor) or '0-0'
if #redis.call('XRANGE', log, '(' .. seen, '+', 'COUNT', 1) == 0 then
  return 0
end
return redis.call('SET', awake, '1', 'NX', 'PX', ARGV[1]) and 1 or 0
