-- Keeps what the review of a player has found, unless a later review has come first.
--
-- KEYS: ladder, to_review, flags, dismissals, counters, queue of all flags, then for each flag that is raised its queue
-- ARGV: revision, player, what to_review held of it when the review began, now (ms), then for each flag that is raised:
--       flag/player, what it says, when the dismissal was that the review knew of or ""
-- Returns {"stale"} | {"superseded"} | {"done"}
--
-- A flag stays raised, and says what it said last, until a moderator dismisses it. Whoever has played again meanwhile
-- stays among those to review.

local ladder, to_review, flags, dismissals, counters, queue = unpack(KEYS, 1, 6)
local revision, player, seen, now = unpack(ARGV, 1, 4)
local FIRST_QUEUE, FIRST_FLAG = 7, 5

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local noted = redis.call('HGET', to_review, player)
if not noted then
  return {'superseded'}
end
for number = 0, #KEYS - FIRST_QUEUE do
  local flag, text, known = unpack(ARGV, FIRST_FLAG + 3 * number, FIRST_FLAG + 3 * number + 2)
  local dismissal = redis.call('HGET', dismissals, flag)
  if (dismissal and cjson.decode(dismissal).at or '') == (tonumber(known) or '') then
    redis.call('HSET', flags, flag, text)
    redis.call('ZADD', queue, 'NX', now, flag)
    redis.call('ZADD', KEYS[FIRST_QUEUE + number], 'NX', now, flag)
  end
end
if noted == seen then
  redis.call('HDEL', to_review, player)
end
redis.call('HINCRBY', counters, 'reviewed', 1)
return {'done'}
