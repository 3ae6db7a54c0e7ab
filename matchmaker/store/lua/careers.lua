-- Where players stand, and which results their histories hold.
--
-- KEYS: ladder, states, owners, then the history of each player
-- ARGV: revision, how many results of each, then the players
-- Returns {"stale"} | for each player {packed state or nil if it is not in the ladder, owner or nil,
--         {log id of the newest result, ...}}

local ladder, states, owners = unpack(KEYS, 1, 3)
local FIRST_HISTORY, FIRST_PLAYER = 4, 3
local revision, limit = ARGV[1], tonumber(ARGV[2])

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local reply = {}
for at = FIRST_PLAYER, #ARGV do
  local history = KEYS[FIRST_HISTORY + at - FIRST_PLAYER]
  reply[#reply + 1] = {
    redis.call('HGET', states, ARGV[at]),
    redis.call('HGET', owners, ARGV[at]),
    redis.call('LRANGE', history, 0, limit - 1),
  }
end
return reply
