-- One player's state and place.
--
-- KEYS: ladder, ratings, states, names, owners
-- ARGV: revision, player
-- Returns {"stale"} | {"unknown"}
--       | {"standing", packed state, name, owner, of, better, worse}, without the last two off the board

local ladder, ratings, states, names, owners = unpack(KEYS)
local revision, player = unpack(ARGV)

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local state = redis.call('HGET', states, player)
if not state then
  return {'unknown'}
end

local reply = {
  'standing', state, redis.call('HGET', names, player), redis.call('HGET', owners, player),
  redis.call('ZCARD', ratings),
}
local rating = redis.call('ZSCORE', ratings, player)
if rating then
  reply[6] = redis.call('ZCOUNT', ratings, '(' .. rating, '+inf')
  reply[7] = redis.call('ZCOUNT', ratings, '-inf', '(' .. rating)
end
return reply
