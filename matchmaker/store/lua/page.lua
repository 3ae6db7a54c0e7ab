-- A page of the board, either from an offset or around a player; full at both ends of the board.
--
-- KEYS: ladder, ratings, states, names, cursor
-- ARGV: revision, "offset", offset, limit | revision, "around", player, span
-- Returns {"stale"} | {"unknown"}: no such player | {"off"}: the player is not on the board
--       | {"page", last change beside the fold (see keys.py), version, total, offset, rank of the first row,
--          player, rating, packed state, name, ...}: the first two and the revision are the board's mark

local ladder, ratings, states, names, cursor = unpack(KEYS)
local revision, anchor = ARGV[1], ARGV[2]

local current, touched = unpack(redis.call('HMGET', ladder, 'revision', 'touched'))
if current ~= revision then
  return {'stale'}
end

local total = redis.call('ZCARD', ratings)
local offset, limit
if anchor == 'offset' then
  offset, limit = tonumber(ARGV[3]), tonumber(ARGV[4])
else
  local index, span = redis.call('ZREVRANK', ratings, ARGV[3]), tonumber(ARGV[4])
  if not index then
    return {redis.call('HEXISTS', states, ARGV[3]) == 1 and 'off' or 'unknown'}
  end
  limit = 2 * span + 1
  offset = math.max(0, math.min(index - span, total - limit))
end

local reply = {'page', touched or '0-0', redis.call('GET', cursor) or '0-0', total, offset, 0}
if offset >= total or limit == 0 then
  return reply
end
local rows = redis.call('ZRANGE', ratings, offset, offset + limit - 1, 'REV', 'WITHSCORES')
reply[6] = 1 + redis.call('ZCOUNT', ratings, '(' .. rows[2], '+inf')
local players = {}
for i = 1, #rows, 2 do
  players[#players + 1] = rows[i]
end
local packed = redis.call('HMGET', states, unpack(players))
local called = redis.call('HMGET', names, unpack(players))
for i, player in ipairs(players) do
  local at = #reply
  reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4] = player, rows[2 * i], packed[i], called[i]
end
return reply
