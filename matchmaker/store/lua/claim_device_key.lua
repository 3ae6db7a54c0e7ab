-- Says under which secret devices are hashed, unless somebody has said so before.
--
-- KEYS: mark of the secret
-- ARGV: mark of the caller's secret
-- Returns the mark of the secret that counts

redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
