-- States and places of players.
--
-- KEYS: ladder, ratings, states, names, owners
-- ARGV: revision, the players
-- Returns {"stale"}
--       | {"standings", of, for each player nil or {packed state, name, owner, better, worse}}, without the
--         last two for a player who is off the board

local ladder, ratings, states, names, owners = unpack(KEYS)

if redis.call('HGET', ladder, 'revision') ~= ARGV[1] then
  return {'stale'}
end

local reply = {'standings', redis.call('ZCARD', ratings)}
for i = 2, #ARGV do
  local player = ARGV[i]
  local state = redis.call('HGET', states, player)
  local standing = state and {state, redis.call('HGET', names, player), redis.call('HGET', owners, player)}
  local rating = state and redis.call('ZSCORE', ratings, player)
  if rating then
    standing[4] = redis.call('ZCOUNT', ratings, '(' .. rating, '+inf')
    standing[5] = redis.call('ZCOUNT', ratings, '-inf', '(' .. rating)
  end
  reply[#reply + 1] = standing
end
return reply
