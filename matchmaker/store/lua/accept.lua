-- Accepts results into the log, each id once. A result that carries the id of a battle settles that battle.
-- Or only says what would become of them if their players were in the ladder, and changes nothing.
--
-- KEYS: ladder, states, ids, log, awake, open, owners, devices, then for each result the battle of that id (if
--       there is one)
-- ARGV: revision, milliseconds awake, now (ms), "1" to accept or "0" to say only, "refuse" | "flag" results
--       between linked accounts, then for each result: digest of its id, digest of its content, log entry, number of
--       players, and for each of these the number of its side and the player
-- Returns {"stale"}
--       | {"done", 1 if a folding job must be called else 0, word of the first result, ...}, the words being
--         "+" log id: accepted (no id if it only would be); "=" log id: a duplicate; "!": conflict with an
--         earlier report; "?" player: not in the ladder; "x" status: the battle is closed; "~": not the
--         battle's players; "&owner/" or "&device/", player "/" player: these two of different sides share one. An
--         issued battle may be reported all the same: the two were strangers when it was drawn

local ladder, states, ids, log, awake, open, owners, devices = unpack(KEYS, 1, 8)
local FIRST_BATTLE, FIRST_RESULT = 9, 6
local revision, awake_ms, now, judges = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4] == '0'
local refuses_linked = ARGV[5] == 'refuse'
local CONTENT_SIZE, TAG_SIZE = 16, 16
local CHUNK = 5000 -- values per variadic command; unpack takes some 7,000

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end

local results, players, side_of = {}, {}, {}
do
  local at = FIRST_RESULT
  while at <= #ARGV do
    local id, content, entry, count = unpack(ARGV, at, at + 3)
    at = at + 4
    local first = #players + 1
    for place = first, first + count - 1 do
      side_of[place], players[place] = ARGV[at], ARGV[at + 1]
      at = at + 2
    end
    results[#results + 1] = {id = id, content = content, entry = entry, first = first, last = #players}
  end
end

-- Why the battle does not take this result; nil if it does.
local function refusal(status, expires, challenger, other, result)
  local first, last = result.first, result.last
  if last ~= first + 1 or challenger ~= players[first] or other ~= players[last] then
    return '~'
  elseif status ~= 'open' then
    return 'x' .. status
  elseif tonumber(expires) <= now then
    return 'xexpired'
  end
end

local function close(battle, challenger, log_id)
  redis.call('HSET', battle, 'status', 'reported', 'entry', log_id)
  redis.call('HDEL', battle, 'pool')
  local pointer = redis.call('HGET', open, challenger)
  if pointer and pointer:match('^%S+') == redis.call('HGET', battle, 'id') then
    redis.call('HDEL', open, challenger)
  end
end

-- Owners and tags of all players, as they stand in that list.
local owner_of, tags_of = {}, {}
if refuses_linked then
  for at = 1, #players, CHUNK do
    local last = math.min(at + CHUNK - 1, #players)
    local some = redis.call('HMGET', owners, unpack(players, at, last))
    local tags = redis.call('HMGET', devices, unpack(players, at, last))
    for place = at, last do
      owner_of[place], tags_of[place] = some[place - at + 1], tags[place - at + 1]
    end
  end
end

-- Notes who holds the mark; returns somebody on another side who held it before.
local function other_holder(holders, mark, place)
  local holder = holders[mark]
  if holder and side_of[holder] ~= side_of[place] then
    return holder
  end
  holders[mark] = place
end

-- Which two players of different sides are linked, and how; nil if none are.
local function link(first, last)
  local holders, word = {}, '&owner/'
  for place = first, last do
    local other = owner_of[place] and other_holder(holders, owner_of[place], place)
    if other then
      return word .. players[other] .. '/' .. players[place]
    end
  end
  holders, word = {}, '&device/'
  for place = first, last do
    local tags = tags_of[place]
    for at = 1, tags and #tags or 0, TAG_SIZE do
      local other = other_holder(holders, tags:sub(at, at + TAG_SIZE - 1), place)
      if other then
        return word .. players[other] .. '/' .. players[place]
      end
    end
  end
end

local function accept(battle, result)
  local known = redis.call('HGET', ids, result.id)
  if known then
    local same = known:sub(1, CONTENT_SIZE) == result.content
    return same and '=' .. known:sub(CONTENT_SIZE + 1) or '!'
  end
  local status, expires, challenger, other =
    unpack(redis.call('HMGET', battle, 'status', 'expires', 'challenger', 'opponent'))
  local refused = status and refusal(status, expires, challenger, other, result)
  refused = refused or (not status and link(result.first, result.last))
  if refused then
    return refused
  elseif judges then
    return '+'
  end
  for place = result.first, result.last do
    if redis.call('HEXISTS', states, players[place]) == 0 then
      return '?' .. players[place]
    end
  end
  local log_id = redis.call('XADD', log, '*', 'result', result.entry)
  redis.call('HSET', ids, result.id, result.content .. log_id)
  if status then
    close(battle, challenger, log_id)
  end
  return '+' .. log_id
end

local reply, accepted = {'done', 0}, false
for number, result in ipairs(results) do
  local word = accept(KEYS[FIRST_BATTLE + number - 1], result)
  accepted = accepted or (not judges and word:sub(1, 1) == '+')
  reply[#reply + 1] = word
end
if accepted and redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) then
  reply[2] = 1
end
return reply
