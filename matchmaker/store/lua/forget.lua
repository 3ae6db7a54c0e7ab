-- The generation that was live before goes for good.
--
-- KEYS: ladder, rebuilding, then the keys of that generation
-- Returns {"busy"}: somebody rebuilds the ladder right now | {"done", 1 if there was one else 0}

local ladder, rebuilding = unpack(KEYS, 1, 2)

if redis.call('EXISTS', rebuilding) == 1 then
  return {'busy'}
end
redis.call('UNLINK', unpack(KEYS, 3))
return {'done', redis.call('HDEL', ladder, 'previous')}
