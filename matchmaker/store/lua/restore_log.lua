-- Entries of a log, under the ids that they had; joins and suspensions take effect at once, as they did then.
--
-- KEYS: ladder, states, ratings, strengths, ids, log, restoring, annulled, adjustments, then for each measure that a moderator
--       took against a player the list of those
-- ARGV: revision, milliseconds as in restore_begin, log id of the last entry ("" if there is none), then for each entry:
--       log id, kind, entry, number of words, and these
--       words: of a result the digests of its id and of its content, and its players; of a join player, packed state,
--       rating, strength or "" where that is the rating; of a measure player, number of its list from 0, and
--       if it counts once the digests of its id and of its content; of an
--       annulment digest of the result id; of others none
-- Returns {"stale"} | {"done"}, also when it is sent again because the answer was lost
--       | {"refused", place of the entry from 1, "twice" | "unknown" | "joined" | "stranger" | "nothing" | "annulled"}:
--         the result's id or the player came before, or the result's player, the measure's player or the result to be
--         annulled did not, or it is annulled; nothing more was written

local ladder, states, ratings, strengths, ids, log, restoring, annulled, adjustments = unpack(KEYS, 1, 9)
local revision, lease_ms, last = unpack(ARGV, 1, 3)
local FIRST_LIST, FIRST_ENTRY, CONTENT_SIZE = 10, 4, 16
local HAS_STRENGTH = {[16] = true, [34] = true, [44] = true} -- packed states of these lengths

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
redis.call('SET', restoring, '1', 'PX', lease_ms)
if last ~= '' and #redis.call('XRANGE', log, last, last) > 0 then
  return {'done'}
end

local function write(id, kind, entry, a, b, c, ...)
  if kind == 'result' then
    for _, player in ipairs({c, ...}) do
      if redis.call('HEXISTS', states, player) == 0 then
        return 'unknown'
      end
    end
    if redis.call('HSETNX', ids, a, b .. id) == 0 then
      return 'twice'
    end
  elseif kind == 'join' then
    if redis.call('HSETNX', states, a, b) == 0 then
      return 'joined'
    end
    redis.call('ZADD', ratings, c, a)
    local strength = ...
    if strength ~= '' then
      redis.call('ZADD', strengths, strength, a)
    end
  elseif kind == 'annul' then
    local known = redis.call('HGET', ids, a)
    if not known then
      return 'nothing'
    elseif redis.call('HSETNX', annulled, known:sub(CONTENT_SIZE + 1), id) == 0 then
      return 'annulled'
    end
  elseif kind == 'adjust' or kind == 'suspend' or kind == 'reinstate' then
    local state = redis.call('HGET', states, a)
    if not state then
      return 'stranger'
    elseif kind == 'suspend' then
      redis.call('ZREM', ratings, a)
      redis.call('ZREM', strengths, a)
    elseif kind == 'reinstate' then
      redis.call('ZADD', ratings, string.format('%.17g', struct.unpack('<d', state)), a)
      if HAS_STRENGTH[#state] then
        redis.call('ZADD', strengths, string.format('%.17g', struct.unpack('<d', state, 9)), a)
      end
    end
    if c then
      redis.call('HSETNX', adjustments, c, ... .. id)
    end
    redis.call('LPUSH', KEYS[FIRST_LIST + b], id)
  end
  redis.call('XADD', log, id, kind, entry)
end

local at, place = FIRST_ENTRY, 0
while at <= #ARGV do
  local id, kind, entry, words = unpack(ARGV, at, at + 3)
  local first = at + 4
  at, place = first + words, place + 1
  local refused = write(id, kind, entry, unpack(ARGV, first, at - 1))
  if refused then
    return {'refused', place, refused}
  end
end
return {'done'}
