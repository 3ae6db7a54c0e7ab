-- Accepts results into the log, each id once. A result that carries the id of a battle settles that battle.
-- Or only says what would become of them if their players were in the ladder, and changes nothing.
--
-- KEYS: ladder, states, ids, log, awake, open, owners, devices, then for each result the battle of that id (if
--       there is one)
-- ARGV: revision, milliseconds awake, now (ms), "1" to accept or "0" to say only, "refuse" | "flag" results
--       between linked accounts, a letter for the side of each player of all results, number of these players, the
--       players, then for each result: digest of its id, digest of its content, log entry, number of its players
-- Returns {"stale"}
--       | {"done", 1 if a folding job must be called else 0, word of the first result, ...}, the words being
--         "+" log id: accepted (no id if it only would be); "=" log id: a duplicate; "!": conflict with an
--         earlier report; "?" player: not in the ladder; "x" status: the battle is closed; "~": not the
--         battle's players; "&owner/" or "&device/", player "/" player: these two of different sides share one. An
--         issued battle may be reported all the same: the two were strangers when it was drawn

local ladder, states, ids, log, awake, open, owners, devices = unpack(KEYS, 1, 8)
local FIRST_BATTLE, BEFORE_PLAYERS = 9, 7
local revision, awake_ms, now, judges = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4] == '0'
local refuses_linked, sides, players = ARGV[5] == 'refuse', ARGV[6], tonumber(ARGV[7])
local FIRST_RESULT = BEFORE_PLAYERS + players + 1
local CONTENT_SIZE, TAG_SIZE = 16, 16
local CHUNK = 5000 -- values per variadic command; unpack takes some 7,000

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end

local function player(place)
  return ARGV[BEFORE_PLAYERS + place]
end

-- Why the battle does not take the result of the players from this place to that; nil if it does.
local function refusal(status, expires, challenger, other, first, last)
  if last ~= first + 1 or challenger ~= player(first) or other ~= player(last) then
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
  for first = 1, players, CHUNK do
    local last = math.min(first + CHUNK - 1, players)
    local some = redis.call('HMGET', owners, unpack(ARGV, BEFORE_PLAYERS + first, BEFORE_PLAYERS + last))
    local tags = redis.call('HMGET', devices, unpack(ARGV, BEFORE_PLAYERS + first, BEFORE_PLAYERS + last))
    for place = first, last do
      owner_of[place], tags_of[place] = some[place - first + 1], tags[place - first + 1]
    end
  end
end

-- Notes who holds the mark; returns somebody on another side who held it before.
local function other_holder(holders, mark, place)
  local holder = holders[mark]
  if holder and sides:byte(holder) ~= sides:byte(place) then
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
      return word .. player(other) .. '/' .. player(place)
    end
  end
  holders, word = {}, '&device/'
  for place = first, last do
    local tags = tags_of[place]
    for at = 1, tags and #tags or 0, TAG_SIZE do
      local other = other_holder(holders, tags:sub(at, at + TAG_SIZE - 1), place)
      if other then
        return word .. player(other) .. '/' .. player(place)
      end
    end
  end
end

local function accept(battle, first, last, id, content, entry)
  local known = redis.call('HGET', ids, id)
  if known then
    local same = known:sub(1, CONTENT_SIZE) == content
    return same and '=' .. known:sub(CONTENT_SIZE + 1) or '!'
  end
  local status, expires, challenger, other =
    unpack(redis.call('HMGET', battle, 'status', 'expires', 'challenger', 'opponent'))
  local refused = status and refusal(status, expires, challenger, other, first, last)
  refused = refused or (not status and link(first, last))
  if refused then
    return refused
  elseif judges then
    return '+'
  end
  for place = first, last do
    if redis.call('HEXISTS', states, player(place)) == 0 then
      return '?' .. player(place)
    end
  end
  local log_id = redis.call('XADD', log, '*', 'result', entry)
  redis.call('HSET', ids, id, content .. log_id)
  if status then
    close(battle, challenger, log_id)
  end
  return '+' .. log_id
end

local reply, accepted, first = {'done', 0}, false, 1
for number = 0, #KEYS - FIRST_BATTLE do
  local id, content, entry, count = unpack(ARGV, FIRST_RESULT + 4 * number, FIRST_RESULT + 4 * number + 3)
  local word = accept(KEYS[FIRST_BATTLE + number], first, first + count - 1, id, content, entry)
  first = first + count
  accepted = accepted or (not judges and word:sub(1, 1) == '+')
  reply[#reply + 1] = word
end
if accepted and redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) then
  reply[2] = 1
end
return reply
