-- What a rebuild has left that was broken off goes away; with whoever is thought dead and comes back it is over.
--
-- KEYS: rebuilding, then the keys of the rebuilt generation
-- Returns the number of these keys that there were; 0 if somebody rebuilds the ladder right now

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
return redis.call('UNLINK', unpack(KEYS, 2))
