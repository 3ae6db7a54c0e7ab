-- Where players stand, and which results their histories hold.
--
-- KEYS: ladder, states, annulled, then the history of each player
-- ARGV: revision, how many results of each, then the players
-- Returns {"stale"} | for each player {packed state or nil if it is not in the ladder,
--         {log id of the newest result, ...}}; results that are annulled are none

local ladder, states, annulled = unpack(KEYS, 1, 3)
local FIRST_HISTORY, FIRST_PLAYER = 4, 3
local revision, limit = ARGV[1], tonumber(ARGV[2])

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local some_annulled = redis.call('EXISTS', annulled) == 1

local function results(history)
  local all = redis.call('LRANGE', history, 0, limit - 1)
  if not some_annulled or #all == 0 then
    return all
  end
  local valid, annulments = {}, redis.call('HMGET', annulled, unpack(all))
  for i, id in ipairs(all) do
    if not annulments[i] then
      valid[#valid + 1] = id
    end
  end
  return valid
end

local reply = {}
for at = FIRST_PLAYER, #ARGV do
  reply[#reply + 1] = {
    redis.call('HGET', states, ARGV[at]),
    results(KEYS[FIRST_HISTORY + at - FIRST_PLAYER]),
  }
end
return reply
