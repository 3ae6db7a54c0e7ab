-- An account is seen on a device.
--
-- KEYS: accounts of the device, block of the device
-- ARGV: account, now (ms)
-- Returns the block, or nil if the device is not blocked
--
-- In one step: whoever blocks the device finds the account, or the account finds the block.

redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('GET', KEYS[2])
