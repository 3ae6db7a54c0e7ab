-- What the log does not tell of players: name, owner, suspension, and how much of their history is kept.
--
-- KEYS: ladder, states, ratings, strengths, names, owners, restoring, then the history of each player
-- ARGV: revision, milliseconds as in restore_begin, then for each player: player, name and owner ("-" none,
--       "+text"), "1" if it is on the board else "0", entries of its history
-- Returns {"stale"} | {"done"}
--
-- Whoever is not in the ladder joined after the log was read, and stays out.

local ladder, states, ratings, strengths, names, owners, restoring = unpack(KEYS, 1, 7)
local FIRST_HISTORY = 8

if redis.call('HGET', ladder, 'revision') ~= ARGV[1] then
  return {'stale'}
end
redis.call('SET', restoring, '1', 'PX', ARGV[2])

local function note(hash, player, word)
  if word:sub(1, 1) == '+' then
    redis.call('HSET', hash, player, word:sub(2))
  end
end

for i = 0, #KEYS - FIRST_HISTORY do
  local player, name, owner, on_board, kept = unpack(ARGV, 3 + 5 * i, 7 + 5 * i)
  if redis.call('HEXISTS', states, player) == 1 then
    note(names, player, name)
    note(owners, player, owner)
    if on_board == '0' then
      redis.call('ZREM', ratings, player)
      redis.call('ZREM', strengths, player)
    end
    if tonumber(kept) == 0 then
      redis.call('DEL', KEYS[FIRST_HISTORY + i])
    else
      redis.call('LTRIM', KEYS[FIRST_HISTORY + i], 0, kept - 1)
    end
  end
end
return {'done'}
