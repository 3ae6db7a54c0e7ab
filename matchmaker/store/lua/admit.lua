-- Players join the ladder at its initial rating; whoever is in it already stays as it is.
--
-- KEYS: ladder, states, ratings, strengths, log, awake
-- ARGV: revision, milliseconds awake, packed state, rating, strength or "" where that is the rating, then for each
--       player: player, log entry
-- Returns {"stale"} | {"done", number of players who joined, 1 if a folding job must be called else 0}

local ladder, states, ratings, strengths, log, awake = unpack(KEYS)
local revision, awake_ms, state, rating, strength = unpack(ARGV, 1, 5)

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end

local joined, entry = 0, nil
for i = 6, #ARGV, 2 do
  if redis.call('HSETNX', states, ARGV[i], state) == 1 then
    redis.call('ZADD', ratings, rating, ARGV[i])
    if strength ~= '' then
      redis.call('ZADD', strengths, strength, ARGV[i])
    end
    entry = redis.call('XADD', log, '*', 'join', ARGV[i + 1])
    joined = joined + 1
  end
end
if joined > 0 then
  redis.call('HSET', ladder, 'touched', entry) -- the board shows them at once: see mark.lua
end
local called = joined > 0 and redis.call('SET', awake, '1', 'NX', 'PX', awake_ms)
return {'done', joined, called and 1 or 0}
