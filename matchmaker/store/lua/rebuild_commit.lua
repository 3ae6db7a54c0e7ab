-- Commits what the fold made of a stretch of the log to a generation that is not live.
--
-- KEYS: rebuilding, log, cursor and ratings of the live generation, then cursor, states, ratings, strengths and changes of
--       the other one
-- ARGV: word of whoever rebuilds, milliseconds for which it need not be heard of, expected cursor, new cursor, number
--       of players, of strengths, of those whose place is to be looked up, and of changes,
--       then for each player: rating, player; then for each strength: strength, player;
--       then for each player: player, packed state;
--       then those players whose place is to be looked up; then for each change: log id, packed change
-- Returns {"lost"}: somebody else rebuilds the ladder | {"superseded"}: nothing changed, this server does not have what
--         was read | {"done"}, also when it is sent again because the answer was lost
--
-- After a failover a server may have less of the log, and of both generations, than what was read. This one must never be
-- further than the live one: it would have rated what is gone, and nobody could catch up with it.
--
-- Who is on the board is what the live generation says: joins, suspensions and reinstatements are looked up there when
-- they are folded. Whatever comes later stands in the log behind them.

local rebuilding, log, live_cursor, live_ratings, cursor, states, ratings, strengths, changes = unpack(KEYS)
local word, lease_ms, expected, new = unpack(ARGV, 1, 4)
local players, strength_count, placed, change_count = unpack(ARGV, 5, 8)
local FIRST_SCORE = 9
local HAS_STRENGTH = {[16] = true, [34] = true, [44] = true} -- packed states of these lengths
local CHUNK = 1000 -- values per variadic command, an even number; unpack takes some 7,000

if redis.call('GET', rebuilding) ~= word then
  return {'lost'}
end
redis.call('PEXPIRE', rebuilding, lease_ms)
local at = redis.call('GET', cursor) or '0-0'
if at == new then
  return {'done'}
end
-- The live cursor's own entry stays in the log. So what is not there and has nothing in front of it was archived.
local found = redis.call('XRANGE', log, new, redis.call('GET', live_cursor) or '0-0', 'COUNT', 1)[1]
if at ~= expected
  or not found
  or (found[1] ~= new and #redis.call('XRANGE', log, '-', new, 'COUNT', 1) > 0) then
  return {'superseded'}
end

local first_strength = FIRST_SCORE + 2 * players
local first_state = first_strength + 2 * strength_count
local first_placed = first_state + 2 * players
local first_change = first_placed + placed
for at = FIRST_SCORE, first_strength - 1, CHUNK do
  redis.call('ZADD', ratings, 'XX', unpack(ARGV, at, math.min(at + CHUNK, first_strength) - 1))
end
for at = first_strength, first_state - 1, CHUNK do
  redis.call('ZADD', strengths, 'XX', unpack(ARGV, at, math.min(at + CHUNK, first_state) - 1))
end
for at = first_state, first_placed - 1, CHUNK do
  redis.call('HSET', states, unpack(ARGV, at, math.min(at + CHUNK, first_placed) - 1))
end
for at = first_placed, first_change - 1 do
  local player = ARGV[at]
  if redis.call('ZSCORE', live_ratings, player) then
    -- A packed state begins with the rating; where pools go by another number, that comes next.
    local state = redis.call('HGET', states, player)
    redis.call('ZADD', ratings, string.format('%.17g', struct.unpack('<d', state)), player)
    if HAS_STRENGTH[#state] then
      redis.call('ZADD', strengths, string.format('%.17g', struct.unpack('<d', state, 9)), player)
    end
  else
    redis.call('ZREM', ratings, player)
    redis.call('ZREM', strengths, player)
  end
end
for at = first_change, first_change + 2 * change_count - 1, 2 do
  redis.call('XADD', changes, ARGV[at], 'c', ARGV[at + 1])
end
redis.call('SET', cursor, new)
return {'done'}
