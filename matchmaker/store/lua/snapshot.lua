-- Players as they are at one moment.
--
-- KEYS: ladder, cursor, states, ratings
-- ARGV: revision, then the players
-- Returns {"stale"} | {cursor, for each player packed state or nil, rating on the board or nil, ...}

local ladder, cursor, states, ratings = unpack(KEYS)

if redis.call('HGET', ladder, 'revision') ~= ARGV[1] then
  return {'stale'}
end
local reply = {redis.call('GET', cursor) or '0-0'}
for at = 2, #ARGV do
  reply[2 * at - 2] = redis.call('HGET', states, ARGV[at]) or false
  reply[2 * at - 1] = redis.call('ZSCORE', ratings, ARGV[at]) or false
end
return reply
