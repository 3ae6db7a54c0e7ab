-- What two hashes of a ladder hold of the same players.
--
-- KEYS: one hash, another hash
-- ARGV: the players, some thousands at most
-- Returns {values of the one, nil for those who are not in it}, {values of the other}

return {redis.call('HMGET', KEYS[1], unpack(ARGV)), redis.call('HMGET', KEYS[2], unpack(ARGV))}
