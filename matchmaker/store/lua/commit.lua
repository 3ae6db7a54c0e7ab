-- Commits what the fold made of a stretch of the log, unless another job has moved the cursor meanwhile, or this
-- server does not have that stretch: after a failover it may have less of the log than the one that was read.
--
-- KEYS: ladder, log, cursor, ratings, strengths, states, changes, awake, counters, to_review, standstill, then the history
--       of each player
-- ARGV: revision, expected cursor, new cursor, milliseconds awake, history limit, number of players, number of changes,
--       how many of these are of results, number of entries, microseconds that the fold took, the fields that count
--       batches of that size and time, and how many strengths follow: those of all players or, where they are ratings, none;
--       then for each player: rating, player; then for each strength: strength, player;
--       then for each: player, packed state;
--       then for each: number of new history entries;
--       then the new history entries (log ids, oldest first), player by player;
--       then for each change: log id, packed change
-- Returns {"stale"} | {"held"}: another generation is about to take over, try again | {"superseded"}: nothing changed
--       but the count of these | {"done"}
--
-- Ratings are only updated, never added: a player who is off the board stays off it. Who has new entries in its
-- history is to be reviewed.

local ladder, log, cursor, ratings, strengths, states, changes = unpack(KEYS, 1, 7)
local awake, counters, to_review, standstill = unpack(KEYS, 8, 11)
local FIRST_HISTORY, FIRST_SCORE = 12, 14
local CHUNK = 1000 -- values per variadic command, an even number; unpack takes some 7,000
local revision, expected, new, awake_ms = unpack(ARGV, 1, 4)
local limit, players, change_count = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local rated, entry_count, microseconds, size_field, time_field = unpack(ARGV, 8, 12)

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
if redis.call('EXISTS', standstill) == 1 then
  return {'held'}
end
if (redis.call('GET', cursor) or '0-0') ~= expected or #redis.call('XRANGE', log, new, new) == 0 then
  redis.call('HINCRBY', counters, 'superseded', 1)
  return {'superseded'}
end

local first_strength = FIRST_SCORE + 2 * players
local first_state = first_strength + 2 * tonumber(ARGV[13])
local first_count = first_state + 2 * players
for at = FIRST_SCORE, first_strength - 1, CHUNK do
  redis.call('ZADD', ratings, 'XX', unpack(ARGV, at, math.min(at + CHUNK, first_strength) - 1))
end
for at = first_strength, first_state - 1, CHUNK do
  redis.call('ZADD', strengths, 'XX', unpack(ARGV, at, math.min(at + CHUNK, first_state) - 1))
end
for at = first_state, first_count - 1, CHUNK do
  redis.call('HSET', states, unpack(ARGV, at, math.min(at + CHUNK, first_count) - 1))
end

local entry, played = first_count + players, {}
for i = 0, players - 1 do
  local entries = tonumber(ARGV[first_count + i])
  local history, size = KEYS[FIRST_HISTORY + i], 0
  if limit == 0 then
    redis.call('DEL', history)
  elseif entries > 0 then
    for from = entry, entry + entries - 1, CHUNK do
      size = redis.call('LPUSH', history, unpack(ARGV, from, math.min(from + CHUNK, entry + entries) - 1))
    end
    if size > limit then
      redis.call('LTRIM', history, 0, limit - 1)
    end
    entry = entry + entries
    played[#played + 1], played[#played + 2] = ARGV[first_state + 2 * i], new
  end
end
for at = 1, #played, CHUNK do
  redis.call('HSET', to_review, unpack(played, at, math.min(at + CHUNK - 1, #played)))
end

for at = entry, entry + 2 * change_count - 1, 2 do
  redis.call('XADD', changes, ARGV[at], 'c', ARGV[at + 1])
end
redis.call('HINCRBY', counters, 'folded', entry_count)
redis.call('HINCRBY', counters, 'rated', rated)
redis.call('HINCRBY', counters, 'microseconds', microseconds)
redis.call('HINCRBY', counters, size_field, 1)
redis.call('HINCRBY', counters, time_field, 1)
redis.call('SET', cursor, new)
redis.call('SET', awake, '1', 'PX', awake_ms)
return {'done'}
