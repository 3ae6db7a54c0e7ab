-- Suspends players who were seen on a blocked device, or takes them back when it is blocked no more.
--
-- KEYS: ladder, states, ratings, strengths, held, log, then for each player the list of measures against it
-- ARGV: "suspend" | "reinstate", tag of the device (16 bytes), then for each player: player, log entry
--
-- `held` has the tags of the blocked devices for whose sake alone a player is off the board. A moderator's word
-- goes before theirs: whoever is off the board and not in `held` was suspended by a moderator, and stays so.
-- Nobody is called to fold the entries: they move no rating, so it is soon enough when the sweep sees them.

local ladder, states, ratings, strengths, held, log = unpack(KEYS, 1, 6)
local FIRST_MEASURES, FIRST_PLAYER = 7, 3
local HAS_STRENGTH = {[16] = true, [34] = true, [44] = true} -- packed states of these lengths
local TAG_SIZE = 16
local kind, tag = ARGV[1], ARGV[2]

-- The tags without that of this device.
local function without(tags)
  local rest = {}
  for at = 1, #tags, TAG_SIZE do
    local each = tags:sub(at, at + TAG_SIZE - 1)
    if each ~= tag then
      rest[#rest + 1] = each
    end
  end
  return table.concat(rest)
end

-- Whether the player has left the board.
local function suspend(player)
  local tags = redis.call('HGET', held, player)
  local leaves = redis.call('ZREM', ratings, player) == 1
  redis.call('ZREM', strengths, player)
  if leaves or tags then
    redis.call('HSET', held, player, without(tags or '') .. tag)
  end
  return leaves
end

-- Whether the player has come back to the board.
local function reinstate(player)
  local tags = redis.call('HGET', held, player)
  local rest = tags and without(tags)
  if not tags or rest == tags then
    return false
  elseif rest ~= '' then
    redis.call('HSET', held, player, rest)
    return false
  end
  redis.call('HDEL', held, player)
  -- A packed state begins with the rating; where pools go by another number, that comes next.
  local state = redis.call('HGET', states, player)
  if HAS_STRENGTH[#state] then
    redis.call('ZADD', strengths, 'NX', string.format('%.17g', struct.unpack('<d', state, 9)), player)
  end
  return redis.call('ZADD', ratings, 'NX', string.format('%.17g', struct.unpack('<d', state)), player) == 1
end

local move = kind == 'suspend' and suspend or reinstate
for number = 0, #KEYS - FIRST_MEASURES do
  local player, entry = unpack(ARGV, FIRST_PLAYER + 2 * number, FIRST_PLAYER + 2 * number + 1)
  if move(player) then
    local log_id = redis.call('XADD', log, '*', kind, entry)
    redis.call('HSET', ladder, 'touched', log_id) -- see mark.lua
    redis.call('LPUSH', KEYS[FIRST_MEASURES + number], log_id)
  end
end
