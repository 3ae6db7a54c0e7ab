-- Draws a pool of opponents for a challenger, picks one of them at random and issues the battle.
--
-- KEYS: ladder, states, ratings (strengths, where the rule tells the two apart), names, owners, open, recent, battle,
--       issued, devices
-- ARGV: revision, challenger, battle id, now (ms), when the battle expires (ms), how long to keep it (ms), seed,
--       size of the pool, "backfill" | "strict", how many recent opponents to avoid,
--       "refuse" | "flag" battles of accounts on one device, "1" if states have a sigma else "0",
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

local ladder, states, ratings, names, owners, open, recent, battle, issued, devices = unpack(KEYS)
local revision, challenger, battle_id = ARGV[1], ARGV[2], ARGV[3]
local now, expires, kept, seed = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])
local size, shortfall, avoid_recent = tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10])
local refuses_linked, has_sigma, deviations = ARGV[11] == 'refuse', ARGV[12] == '1', tonumber(ARGV[13])
local FIRST_DEVIATION = 14
local TAG_SIZE = 16
local MOST_DRAWN = 20 * size + 200 -- from one side
local CROWD, TOGETHER = 5000, 8 -- on a side of more than so many, so many neighbours are drawn together
local MOST_REMEMBERED = 60 -- of the challenger's battles, for its review
local FARTHEST_SEARCH = 10000 -- players looked at on either side for the nearest candidate

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local found = redis.call('ZRANK', ratings, challenger, 'WITHSCORE')
if not found then
  return {redis.call('HEXISTS', states, challenger) == 1 and 'off' or 'unknown'}
end
local pointer = redis.call('HGET', open, challenger)
if pointer then
  local open_id, open_until = pointer:match('^(%S+) (%d+)$')
  if tonumber(open_until) > tonumber(now) then
    return {'open', open_id}
  end
end

math.randomseed(seed)
local own_rank, rating_text = unpack(found)
local rating = tonumber(rating_text)
local own_owner = redis.call('HGET', owners, challenger)
local own_tags = refuses_linked and redis.call('HGET', devices, challenger)
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

-- The owners, or the tags of the devices, of those players from number `from` on, if the challenger has any.
local function of_all(hash, own, players, from)
  return own and redis.call('HMGET', hash, unpack(players, from)) or {}
end

local function share_device(tags)
  for at = 1, #own_tags, TAG_SIZE do
    if tags:find(own_tags:sub(at, at + TAG_SIZE - 1), 1, true) then
      return true
    end
  end
end

local function permitted(player, owner, tags)
  if excluded[player] or (own_owner and owner == own_owner) or (tags and share_device(tags)) then
    return false
  end
  if avoided[player] then
    passed_over = true
    return false
  end
  return true
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

-- One side of the challenger: its own stretch of the row, and its share of the players at exactly the
-- challenger's rating. Those are drawn for both sides from one lottery, so that no id is favoured.
--
-- In a crowd, neighbours are drawn together, which saves most of the look-ups. The side is a circle that is
-- turned at random and then cut into blocks: so each candidate is as likely as any other to be in one.
local function side(first, count, level, share)
  local all = count + share
  local block = all > CROWD and TOGETHER or 1
  return {
    first = first, count = count, level = level, all = all,
    block = block, blocks = lottery(0, math.ceil(all / block)), turn = math.random(math.max(all, 1)) - 1,
    drawn = 0, -- how many, permitted or not
    players = {}, scores = {}, places = {}, -- of the candidates; the first `taken` of them are in the pool
    taken = 0,
  }
end

-- Adds the next block of a side to its candidates; returns whether there was one.
local function draw(from)
  local number = from.drawn < MOST_DRAWN and from.blocks()
  if not number then
    return false
  end
  local players, scores, places = from.players, from.scores, from.places
  local first, count, all = from.first, from.count, from.all
  local at, last = number * from.block, math.min((number + 1) * from.block, all) - 1
  from.drawn = from.drawn + last - at + 1
  while at <= last do
    local position = (from.turn + at) % all
    local more = position < count and math.min(last - at, count - 1 - position) or 0
    local place = position < count and first + position or from.level()
    local rank = place < own_rank and place or place + 1
    local row = redis.call('ZRANGE', ratings, rank, rank + more, 'WITHSCORES')
    for i = 0, more do
      local free = #players + 1
      players[free], scores[free], places[free] = row[2 * i + 1], row[2 * i + 2], place + i
    end
    at = at + more + 1
  end
  return true
end

-- Throws back whoever may not be in the pool of the candidates after the first `known`; returns who is left.
local function sift(from, known)
  local players, scores, places = from.players, from.scores, from.places
  local held = of_all(owners, own_owner, players, known + 1)
  local tags = of_all(devices, own_tags, players, known + 1)
  local kept = known
  for i = known + 1, #players do
    local player = players[i]
    if permitted(player, held[i - known], tags[i - known]) then
      kept = kept + 1
      players[kept], scores[kept], places[kept] = player, scores[i], places[i]
    end
  end
  for i = #players, kept + 1, -1 do
    players[i], scores[i], places[i] = nil, nil, nil
  end
  return kept
end

-- Takes `wanted` candidates of a side, or as many as there are; returns how many.
local function take(from, wanted)
  local known, left = #from.players, true
  while left and known < wanted do
    repeat
      left = draw(from)
    until not left or #from.players >= wanted
    if #from.players > known then
      known = sift(from, known)
    end
  end
  from.taken = math.min(wanted, known)
  return from.taken
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
  local level_below = math.floor(equal / 2)
  local wanted_below = math.floor(math.min(size, count) / 2)
  local wanted_above = math.min(size, count) - wanted_below
  if worse + level_below < wanted_below then
    level_below = math.min(wanted_below - worse, equal)
  elseif count - worse - level_below < wanted_above then
    level_below = math.max(count - worse - wanted_above, 0)
  end

  local level = lottery(first + worse, equal)
  local below = side(first, worse, level, level_below)
  local above = side(first + worse + equal, count - worse - equal, level, equal - level_below)
  local size_below, size_above = take(below, below_quota), take(above, above_quota)
  if shortfall == 'backfill' then
    size_above = take(above, size - size_below)
    size_below = take(below, size - size_above)
  end
  if size_below + size_above == 0 and passed_over then
    avoided, passed_over = {}, false
    return draw_pool(deviation)
  end
  return below, above
end

-- Distance of the nearest candidate in one direction along the row of ranks.
local function nearest(step)
  local CHUNK, at = 100, own_rank + step
  for _ = 1, FARTHEST_SEARCH, CHUNK do
    local from, to = math.min(at, at + step * (CHUNK - 1)), math.max(at, at + step * (CHUNK - 1))
    if to < 0 then
      return nil
    end
    local row = redis.call('ZRANGE', ratings, math.max(from, 0), to, 'WITHSCORES')
    local players, scores = {}, {}
    for i = 1, #row, 2 do
      local place = step > 0 and #players + 1 or 1
      table.insert(players, place, row[i])
      table.insert(scores, place, row[i + 1])
    end
    if #players == 0 then
      return nil
    end
    local held, tags = of_all(owners, own_owner, players, 1), of_all(devices, own_tags, players, 1)
    for i, player in ipairs(players) do
      if permitted(player, held[i], tags[i]) then
        return math.abs(tonumber(scores[i]) - rating)
      end
    end
    at = at + step * CHUNK
  end
end

local deviation, below, above
for i = FIRST_DEVIATION, FIRST_DEVIATION + deviations - 1 do
  deviation = ARGV[i]
  below, above = draw_pool(tonumber(deviation))
  if below.taken + above.taken > 0 then
    break
  end
end
if below.taken + above.taken == 0 then
  avoided = {}
  local up, down = nearest(1), nearest(-1)
  local distance = up and down and math.min(up, down) or up or down
  return {'none', distance and exact(distance)}
end

-- The rating of whoever in the pool stands lowest (direction 1) or highest (-1).
local function extreme(direction)
  local first, score = math.huge, nil
  for _, from in ipairs({below, above}) do
    local places = from.places
    for i = 1, from.taken do
      if direction * places[i] < first then
        first, score = direction * places[i], from.scores[i]
      end
    end
  end
  return score
end

-- What is known of everybody in the pool, a line each. No id has a line break in it.
local function lines(noun)
  local one = table.concat(below[noun], '\n', 1, below.taken)
  local other = table.concat(above[noun], '\n', 1, above.taken)
  return one .. (below.taken > 0 and above.taken > 0 and '\n' or '') .. other
end

local chosen, half = math.random(below.taken + above.taken), below
if chosen > below.taken then
  chosen, half = chosen - below.taken, above
end
local opponent, opponent_rating = half.players[chosen], half.scores[chosen]
local called = redis.call('HMGET', names, challenger, opponent)
-- In the order in which battles.py reads them.
local figures = {
  now, rating_text, opponent_rating, below.taken, above.taken, extreme(1), extreme(-1), deviation,
}
if has_sigma then
  for _, state in ipairs(redis.call('HMGET', states, challenger, opponent)) do
    -- The rating, and three sigma above it the strength: see states.py.
    local own, strength = struct.unpack('<dd', state)
    figures[#figures + 1] = exact((strength - own) / 3)
  end
end
local reply = {
  'issued', 'id', battle_id, 'status', 'open', 'challenger', challenger, 'opponent', opponent,
  'expires', expires, 'figures', table.concat(figures, ' '), 'pool', lines('players') .. '\n' .. lines('scores'),
}
for i, field in ipairs({'challenger_name', 'opponent_name'}) do
  if called[i] then
    reply[#reply + 1], reply[#reply + 2] = field, called[i]
  end
end
redis.call('HSET', battle, unpack(reply, 2))
redis.call('PEXPIRE', battle, kept)
redis.call('HSET', open, challenger, battle_id .. ' ' .. expires)
local gap = tonumber(opponent_rating) - rating
if redis.call('LPUSH', issued, string.format('%s %s %.2f', battle_id, expires, gap)) > MOST_REMEMBERED then
  redis.call('RPOP', issued)
end
if avoid_recent > 0 then
  local latest = {opponent}
  for i = 1, math.min(avoid_recent - 1, #recents) do
    latest[i + 1] = recents[i]
  end
  redis.call('HSET', recent, challenger, cjson.encode(latest))
end
return reply
