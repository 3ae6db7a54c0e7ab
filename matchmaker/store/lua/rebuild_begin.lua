-- Somebody begins to rebuild a ladder under other settings, or to take back what was rebuilt. What a rebuild that
-- was broken off has left goes away.
--
-- KEYS: ladder, rebuilding, standstill, then the keys of the rebuilt generation
-- ARGV: revision, word of whoever begins, milliseconds for which it need not be heard of
-- Returns {"stale"} | {"busy"}: somebody else is at it | {"begun"}, also when it is sent again because the answer was
--         lost

local ladder, rebuilding, standstill = unpack(KEYS, 1, 3)
local FIRST_REBUILT = 4

if redis.call('HGET', ladder, 'revision') ~= ARGV[1] then
  return {'stale'}
end
if not redis.call('SET', rebuilding, ARGV[2], 'NX', 'PX', ARGV[3]) and redis.call('GET', rebuilding) ~= ARGV[2] then
  return {'busy'}
end
redis.call('DEL', standstill)
redis.call('UNLINK', unpack(KEYS, FIRST_REBUILT))
return {'begun'}
