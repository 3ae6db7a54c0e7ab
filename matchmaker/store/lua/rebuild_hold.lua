-- For a moment nothing is committed to the live generation, so that another one can catch up with it.
--
-- KEYS: rebuilding, standstill
-- ARGV: word of whoever rebuilds, milliseconds for which it need not be heard of, milliseconds of the moment
-- Returns {"lost"}: somebody else rebuilds the ladder | {"held"}

local rebuilding, standstill = unpack(KEYS)
local word, lease_ms, moment_ms = unpack(ARGV)

if redis.call('GET', rebuilding) ~= word then
  return {'lost'}
end
redis.call('PEXPIRE', rebuilding, lease_ms)
redis.call('SET', standstill, '1', 'PX', moment_ms)
return {'held'}
