-- Whoever has begun to rebuild a ladder gives up.
--
-- KEYS: rebuilding, standstill, then the keys of the rebuilt generation
-- ARGV: word of whoever has begun

local rebuilding, standstill = unpack(KEYS, 1, 2)

if redis.call('GET', rebuilding) == ARGV[1] then
  redis.call('DEL', rebuilding, standstill)
  redis.call('UNLINK', unpack(KEYS, 3))
end
