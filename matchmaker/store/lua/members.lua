-- What the log does not tell of players.
--
-- KEYS: ratings, names, owners, then the history of each player
-- ARGV: the players
-- Returns for each player: name or nil, owner or nil, 1 if it is on the board else 0, entries of its history

local ratings, names, owners = unpack(KEYS, 1, 3)
local FIRST_HISTORY = 4

local reply = {}
for i, player in ipairs(ARGV) do
  reply[#reply + 1] = {
    redis.call('HGET', names, player),
    redis.call('HGET', owners, player),
    redis.call('ZSCORE', ratings, player) and 1 or 0,
    redis.call('LLEN', KEYS[FIRST_HISTORY + i - 1]),
  }
end
return reply
