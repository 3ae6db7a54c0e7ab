-- A moderator adjusts a player's rating, suspends the player or takes it back.
--
-- KEYS: ladder, states, ratings, strengths, held, log, awake, measures of the player, adjustments
-- ARGV: revision, milliseconds awake, player, "adjust" | "suspend" | "reinstate", log entry, and of an adjustment that
--       counts once the digests of its id and of its content, else "" twice
-- Returns {"stale"} | {"unknown"}: no such player
--       | {"taken", log id of the entry, 1 if a folding job must be called else 0}
--       | {"idle", log id of the last measure or nil}: the player is suspended (or not) already; nothing changed
--       | {"idle", log id of the adjustment with this id}; {"conflict"} if that says something else
--
-- A suspended player is one that is in `states` and not in `ratings`. The board and the pools see it at once; the
-- entry in the log is what tells others of it. Whoever was suspended for the sake of a blocked device alone, no
-- longer is so: see hold.lua.

local ladder, states, ratings, strengths, held, log, awake, measures, adjustments = unpack(KEYS)
local revision, awake_ms, player, kind, entry, id, content = unpack(ARGV)
local CONTENT_SIZE = 16
local HAS_STRENGTH = {[16] = true, [34] = true, [44] = true} -- packed states of these lengths

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local state = redis.call('HGET', states, player)
if not state then
  return {'unknown'}
end

local known = id ~= '' and redis.call('HGET', adjustments, id)
if known then
  local is_same = known:sub(1, CONTENT_SIZE) == content
  return is_same and {'idle', known:sub(CONTENT_SIZE + 1)} or {'conflict'}
end

local moved = true
local freed = kind ~= 'adjust' and redis.call('HDEL', held, player) == 1
if kind == 'suspend' then
  moved = redis.call('ZREM', ratings, player) == 1 or freed
  redis.call('ZREM', strengths, player)
elseif kind == 'reinstate' then
  -- A packed state begins with the rating; where pools go by another number, that comes next.
  local rating = string.format('%.17g', struct.unpack('<d', state))
  moved = redis.call('ZADD', ratings, 'NX', rating, player) == 1
  if HAS_STRENGTH[#state] then
    redis.call('ZADD', strengths, 'NX', string.format('%.17g', struct.unpack('<d', state, 9)), player)
  end
end
if not moved then
  return {'idle', redis.call('LINDEX', measures, 0)}
end
local log_id = redis.call('XADD', log, '*', kind, entry)
if kind ~= 'adjust' then
  redis.call('HSET', ladder, 'touched', log_id) -- see mark.lua
elseif id ~= '' then
  redis.call('HSET', adjustments, id, content .. log_id)
end
redis.call('LPUSH', measures, log_id)
return {'taken', log_id, redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) and 1 or 0}
