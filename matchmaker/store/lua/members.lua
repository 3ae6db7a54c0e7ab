-- What the log does not tell of players.
--
-- KEYS: names, owners, then the history of each player
-- ARGV: the players
-- Returns for each player: name or nil, owner or nil, entries of its history

local names, owners = unpack(KEYS, 1, 2)
local FIRST_HISTORY = 3

local reply = {}
for i, player in ipairs(ARGV) do
  reply[#reply + 1] = {
    redis.call('HGET', names, player),
    redis.call('HGET', owners, player),
    redis.call('LLEN', KEYS[FIRST_HISTORY + i - 1]),
  }
end
return reply
