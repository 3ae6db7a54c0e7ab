-- Writes a word, unless somebody has written one before.
--
-- KEYS: where it stands
-- ARGV: word of the caller
-- Returns the word that counts

redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
