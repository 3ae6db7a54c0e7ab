-- A moderator adjusts a player's rating, suspends the player or takes it back.
--
-- KEYS: ladder, states, ratings, strengths, held, log, awake, measures of the player, archived adjustments
-- ARGV: revision, milliseconds awake, player, "adjust" | "suspend" | "reinstate", log entry, "1" if the same
--       entry counts once else "0"
-- Returns {"stale"} | {"unknown"}: no such player
--       | {"taken", log id of the entry, 1 if a folding job must be called else 0}
--       | {"idle", log id of the last measure or nil}: the player is suspended (or not) already; nothing changed
--       | {"idle", log id of the same entry}: it is one of the last measures, or archived, and counts once
--
-- A suspended player is one that is in `states` and not in `ratings`. The board and the pools see it at once; the
-- entry in the log is what tells others of it. Whoever was suspended for the sake of a blocked device alone, no
-- longer is so: see hold.lua.

local ladder, states, ratings, strengths, held, log, awake, measures, archived = unpack(KEYS)
local revision, awake_ms, player, kind, entry, once = unpack(ARGV)
local LOOKED_AT = 1000 -- of the last measures
local HAS_STRENGTH = {[16] = true, [34] = true, [44] = true} -- packed states of these lengths

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local state = redis.call('HGET', states, player)
if not state then
  return {'unknown'}
end

if once == '1' then
  for _, id in ipairs(redis.call('LRANGE', measures, 0, LOOKED_AT - 1)) do
    local earlier = redis.call('XRANGE', log, id, id)[1]
    if earlier and earlier[2][2] == entry then
      return {'idle', id}
    end
  end
  local id = redis.call('HGET', archived, redis.sha1hex(entry))
  if id then
    return {'idle', id}
  end
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
end
redis.call('LPUSH', measures, log_id)
return {'taken', log_id, redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) and 1 or 0}
