-- What people did in a ladder that is brought in: disputes and dismissals.
--
-- KEYS: ladder, restoring, states, ids, disputes, dismissals, counters, then the queues of disputes
-- ARGV: revision, milliseconds as in restore_begin, then for each case seven words: of a dispute "dispute", digest of its
--       result id, player/result, dispute, when it came into its queue (ms), which queue it is in (1 the first),
--       its counter; of a dismissal "dismissal", player, flag/player, dismissal, and three empty words
-- Returns {"stale"} | {"done"}
--
-- What is about a result or a player that came after the log was read stays out.

local ladder, restoring, states, ids, disputes, dismissals, counters = unpack(KEYS, 1, 7)
local LAST_BEFORE_QUEUES, FIRST_CASE, WORDS = 7, 3, 7

if redis.call('HGET', ladder, 'revision') ~= ARGV[1] then
  return {'stale'}
end
redis.call('SET', restoring, '1', 'PX', ARGV[2])

for at = FIRST_CASE, #ARGV, WORDS do
  local kind, about, name, text, came, queue, counter = unpack(ARGV, at, at + WORDS - 1)
  if kind == 'dismissal' then
    if redis.call('HEXISTS', states, about) == 1 then
      redis.call('HSET', dismissals, name, text)
    end
  elseif redis.call('HEXISTS', ids, about) == 1 and redis.call('HSETNX', disputes, name, text) == 1 then
    redis.call('ZADD', KEYS[LAST_BEFORE_QUEUES + queue], came, name)
    redis.call('HINCRBY', counters, counter, 1)
  end
end
return {'done'}
