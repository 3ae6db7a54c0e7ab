-- Puts players on the board of a ladder, each with an owner, as if they had joined with ratings from elsewhere.
-- Neither states nor the log know them: nothing can be rated, but opponents can be drawn.
--
-- KEYS: ratings, owners
-- ARGV: number of the first player, how many, players of one owner, seed

local ratings, owners = unpack(KEYS)
local first, count, held, seed = unpack(ARGV)
local GRID = 65536 -- steps of ratings in a point

math.randomseed(tonumber(seed))

-- Normal around 1500 with deviation 300, by the Box-Muller transform.
local function rating()
  local radius = 300 * math.sqrt(-2 * math.log(1 - math.random()))
  local points = 1500 + radius * math.cos(2 * math.pi * math.random())
  return string.format('%.17g', math.floor(GRID * points + 0.5) / GRID)
end

local board, owned = {}, {}
for number = tonumber(first), first + count - 1 do
  local player = string.format('fighter-%07d', number)
  board[#board + 1], board[#board + 2] = rating(), player
  owned[#owned + 1], owned[#owned + 2] = player, string.format('owner-%06d', math.floor(number / held))
end
redis.call('ZADD', ratings, unpack(board))
redis.call('HSET', owners, unpack(owned))
