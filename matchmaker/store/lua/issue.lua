-- Draws a pool of opponents for a challenger, picks one of them at random and issues the battle.
--
-- KEYS: ladder, states, ratings, names, owners, open, recent, battle
-- ARGV: revision, challenger, battle id, now (ms), life of the battle (ms), how long to keep it (ms), seed,
--       size of the pool, "backfill" | "strict", how many recent opponents to avoid,
--       number of deviations, the deviations, growing, then the players to exclude
-- Returns {"stale"} | {"unknown"} | {"off"}: the challenger is not on the board
--       | {"open", id of the challenger's open battle}
--       | {"none", distance of the nearest candidate or nil}
--       | {"issued", field, value, ...}: the battle
--
-- The board is a row of ranks. The window [rating - deviation, rating + deviation] is a stretch of it, cut in
-- two at the challenger. From each side random ranks are drawn without repeats, and whoever may not be in
-- the pool is thrown back, until the side has its half or is used up: every candidate of a side is equally
-- likely, and the cost is O(size * log players) however many players stand in the window. A side from which
-- 20 * size + 200 players were drawn counts as used up: where an owner holds nearly the whole window, a
-- request must not hold the store up.

local ladder, states, ratings, names, owners, open, recent, battle = unpack(KEYS)
local revision, challenger, battle_id = ARGV[1], ARGV[2], ARGV[3]
local now, life, kept, seed = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local size, shortfall, avoid_recent = tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10])
local deviations = tonumber(ARGV[11])
local FIRST_DEVIATION = 12
local MOST_DRAWN = 20 * size + 200 -- from one side
local CROWD, TOGETHER = 1000, 5 -- on a side of more than so many, so many neighbours are drawn together
local FARTHEST_SEARCH = 10000 -- players looked at on either side for the nearest candidate

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local pointer = redis.call('HGET', open, challenger)
if pointer then
  local open_id, expires = pointer:match('^(%S+) (%d+)$')
  if tonumber(expires) > now then
    return {'open', open_id}
  end
end
local rating_text = redis.call('ZSCORE', ratings, challenger)
if not rating_text then
  return {redis.call('HEXISTS', states, challenger) == 1 and 'off' or 'unknown'}
end

math.randomseed(seed)
local rating = tonumber(rating_text)
local own_rank = redis.call('ZRANK', ratings, challenger)
local own_owner = redis.call('HGET', owners, challenger)
local excluded, recently = {}, {}
for i = FIRST_DEVIATION + deviations, #ARGV do
  excluded[ARGV[i]] = true
end
local recent_text = redis.call('HGET', recent, challenger)
local recents = recent_text and cjson.decode(recent_text) or {}
for i = 1, math.min(avoid_recent, #recents) do
  recently[recents[i]] = true
end

local function count_to(border)
  return redis.call('ZCOUNT', ratings, '-inf', border)
end

local function exact(number)
  return string.format('%.17g', number)
end

local avoided = recently -- until nobody else is left
local passed_over = false -- whether somebody stayed out of the pool for nothing but that

-- Which of these players may be in a pool.
local function permitted(players)
  local holders = own_owner and redis.call('HMGET', owners, unpack(players)) or {}
  local verdicts = {}
  for i, player in ipairs(players) do
    local may = not excluded[player] and not (own_owner and holders[i] == own_owner)
    if may and avoided[player] then
      may, passed_over = false, true
    end
    verdicts[i] = may
  end
  return verdicts
end

-- Draws the numbers from first to first + count - 1 in random order, each once, without listing them.
local function lottery(first, count)
  local moved, left = {}, count
  return function()
    if left == 0 then
      return nil
    end
    local pick = math.random(left)
    local drawn = moved[pick] or pick
    moved[pick] = moved[left] or left
    left = left - 1
    return first + drawn - 1
  end
end

-- The players at these places, which lie on one side of the challenger.
local function fetch(from, to, candidates)
  local shift = from < own_rank and 0 or 1
  local found = redis.call('ZRANGE', ratings, from + shift, to + shift, 'WITHSCORES')
  for i = 1, #found, 2 do
    candidates[#candidates + 1] = {found[i], found[i + 1]}
  end
end

-- Draws from one side of the challenger: its own stretch of the row, and its share of the players at exactly
-- the challenger's rating. Those are drawn for both sides from one lottery, so that no id is favoured.
--
-- In a crowd, neighbours are drawn together, which saves most of the look-ups. The side is a circle that is
-- turned at random and then cut into blocks: so each candidate is as likely as any other to be in one.
local function side(first, count, level, share)
  local all = count + share
  local block = all > CROWD and TOGETHER or 1
  local turn = all > 0 and math.random(all) - 1 or 0
  local blocks, drawn = lottery(0, math.ceil(all / block)), 0
  local function draw(candidates)
    local number = drawn < MOST_DRAWN and blocks()
    if not number then
      return false
    end
    local at, last = number * block, math.min((number + 1) * block, all) - 1
    drawn = drawn + last - at + 1
    while at <= last do
      local position = (turn + at) % all
      local more = position < count and math.min(last - at, count - 1 - position) or 0
      local place = position < count and first + position or level()
      fetch(place, place + more, candidates)
      at = at + more + 1
    end
    return true
  end
  return {draw = draw, spare = {}}
end

-- Adds up to quota candidates of one side to the pool; returns how many.
local function take(from, quota, pool)
  local taken = 0
  local function add(candidate)
    if taken < quota then
      pool[#pool + 1] = candidate
      taken = taken + 1
    else
      from.spare[#from.spare + 1] = candidate
    end
  end
  local spare = from.spare
  from.spare = {}
  for _, candidate in ipairs(spare) do
    add(candidate)
  end
  while taken < quota do
    local candidates = {}
    while #candidates < quota - taken and from.draw(candidates) do end
    if #candidates == 0 then
      break
    end
    local players = {}
    for i, candidate in ipairs(candidates) do
      players[i] = candidate[1]
    end
    for i, may in ipairs(permitted(players)) do
      if may then
        add(candidates[i])
      end
    end
  end
  return taken
end

local equal_from, equal_to = count_to('(' .. rating_text), count_to(rating_text)

local function draw_pool(deviation)
  -- Places are ranks with the challenger taken out of the row.
  local first = count_to('(' .. exact(rating - deviation))
  local count = count_to(exact(rating + deviation)) - first - 1
  local below_quota = math.floor(size / 2)
  local above_quota = size - below_quota
  -- Players at exactly the challenger's rating may stand on either side: halve them, then help a short side.
  local worse, equal = equal_from - first, equal_to - equal_from - 1
  local below = worse + math.floor(equal / 2)
  local wanted_below = math.floor(math.min(size, count) / 2)
  local wanted_above = math.min(size, count) - wanted_below
  if below < wanted_below then
    below = math.min(wanted_below, worse + equal)
  elseif count - below < wanted_above then
    below = math.max(count - wanted_above, worse)
  end

  local pool = {}
  local level = lottery(first + worse, equal)
  local below_side = side(first, worse, level, below - worse)
  local above_side = side(first + worse + equal, count - worse - equal, level, worse + equal - below)
  local from_below = take(below_side, below_quota, pool)
  local from_above = take(above_side, above_quota, pool)
  if shortfall == 'backfill' then
    from_above = from_above + take(above_side, size - #pool, pool)
    from_below = from_below + take(below_side, size - #pool, pool)
  end
  if #pool == 0 and passed_over then
    avoided, passed_over = {}, false
    return draw_pool(deviation)
  end
  return pool, from_below, from_above
end

-- Distance of the nearest candidate in one direction along the row of ranks.
local function nearest(step)
  local CHUNK, at = 100, own_rank + step
  for _ = 1, FARTHEST_SEARCH, CHUNK do
    local from, to = math.min(at, at + step * (CHUNK - 1)), math.max(at, at + step * (CHUNK - 1))
    if to < 0 then
      return nil
    end
    local found = redis.call('ZRANGE', ratings, math.max(from, 0), to, 'WITHSCORES')
    local players, scores = {}, {}
    for i = 1, #found, 2 do
      local place = step > 0 and #players + 1 or 1
      table.insert(players, place, found[i])
      table.insert(scores, place, found[i + 1])
    end
    if #players == 0 then
      return nil
    end
    for i, may in ipairs(permitted(players)) do
      if may then
        return math.abs(tonumber(scores[i]) - rating)
      end
    end
    at = at + step * CHUNK
  end
end

local pool, from_below, from_above, deviation
for i = FIRST_DEVIATION, FIRST_DEVIATION + deviations - 1 do
  deviation = ARGV[i]
  pool, from_below, from_above = draw_pool(tonumber(deviation))
  if #pool > 0 then
    break
  end
end
if #pool == 0 then
  avoided = {}
  local up, down = nearest(1), nearest(-1)
  local distance = up and down and math.min(up, down) or up or down
  return {'none', distance and exact(distance)}
end

local opponent, opponent_rating = unpack(pool[math.random(#pool)])
local low, high, members = pool[1][2], pool[1][2], {}
for _, candidate in ipairs(pool) do
  local score = candidate[2]
  low = tonumber(score) < tonumber(low) and score or low
  high = tonumber(score) > tonumber(high) and score or high
  members[#members + 1], members[#members + 2] = candidate[1], score
end
local called = redis.call('HMGET', names, challenger, opponent)
local expires = now + life
local record = {
  'id', battle_id, 'status', 'open', 'created', ARGV[4], 'expires', string.format('%d', expires),
  'challenger', challenger, 'challenger_rating', rating_text,
  'opponent', opponent, 'opponent_rating', opponent_rating,
  'below', tostring(from_below), 'above', tostring(from_above), 'low', low, 'high', high, 'deviation', deviation,
  'pool', cjson.encode(members),
}
for i, field in ipairs({'challenger_name', 'opponent_name'}) do
  if called[i] then
    record[#record + 1], record[#record + 2] = field, called[i]
  end
end
redis.call('HSET', battle, unpack(record))
redis.call('PEXPIRE', battle, kept)
redis.call('HSET', open, challenger, battle_id .. ' ' .. string.format('%d', expires))
if avoid_recent > 0 then
  local latest = {opponent}
  for i = 1, math.min(avoid_recent - 1, #recents) do
    latest[i + 1] = recents[i]
  end
  redis.call('HSET', recent, challenger, cjson.encode(latest))
end
return {'issued', unpack(record)}
