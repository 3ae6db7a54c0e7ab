-- Accepts results into the log, each id once. A result that carries the id of a battle settles that battle.
-- Or only says what would become of them if their players were in the ladder, and changes nothing.
--
-- KEYS: ladder, states, ids, log, awake, open, owners, devices, then for each result the battle of that id (if
--       there is one)
-- ARGV: revision, milliseconds awake, now (ms), "1" to accept or "0" to say only, "refuse" | "flag" results
--       between linked accounts, then for each result: digest of its id, digest of its content, initiator,
--       opponent, log entry
-- Returns {"stale"}
--       | {"done", 1 if a folding job must be called else 0, word of the first result, ...}, the words being
--         "+" log id: accepted (no id if it only would be); "=" log id: a duplicate; "!": conflict with an
--         earlier report; "?" player: not in the ladder; "x" status: the battle is closed; "~": not the
--         battle's players; "&owner" or "&device": they share one. An issued battle may be reported all the
--         same: the two were strangers when it was drawn

local ladder, states, ids, log, awake, open, owners, devices = unpack(KEYS, 1, 8)
local FIRST_BATTLE, FIRST_RESULT = 9, 6
local revision, awake_ms, now, judges = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4] == '0'
local refuses_linked = ARGV[5] == 'refuse'
local CONTENT_SIZE, TAG_SIZE = 16, 16

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end

-- Why the battle does not take a result of these two; nil if it does.
local function refusal(status, expires, challenger, other, initiator, opponent)
  if challenger ~= initiator or other ~= opponent then
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

-- Owners and tags of all players, initiator and opponent of one result after the other.
local owner_of, tags_of = {}, {}
if refuses_linked and #KEYS >= FIRST_BATTLE then
  local players = {}
  for at = FIRST_RESULT, #ARGV, 5 do
    players[#players + 1], players[#players + 2] = ARGV[at + 2], ARGV[at + 3]
  end
  owner_of = redis.call('HMGET', owners, unpack(players))
  tags_of = redis.call('HMGET', devices, unpack(players))
end

-- How the players at these places of that list are linked; nil if they are not.
local function link(one, other)
  if owner_of[one] and owner_of[one] == owner_of[other] then
    return '&owner'
  end
  local tags, others = tags_of[one], tags_of[other]
  for at = 1, tags and others and #tags or 0, TAG_SIZE do
    if others:find(tags:sub(at, at + TAG_SIZE - 1), 1, true) then
      return '&device'
    end
  end
end

local function accept(number, battle, id, content, initiator, opponent, entry)
  local known = redis.call('HGET', ids, id)
  if known then
    local same = known:sub(1, CONTENT_SIZE) == content
    return same and '=' .. known:sub(CONTENT_SIZE + 1) or '!'
  end
  local status, expires, challenger, other =
    unpack(redis.call('HMGET', battle, 'status', 'expires', 'challenger', 'opponent'))
  local refused = status and refusal(status, expires, challenger, other, initiator, opponent)
  refused = refused or (not status and link(2 * number + 1, 2 * number + 2))
  if refused then
    return refused
  elseif judges then
    return '+'
  end
  for _, player in ipairs({initiator, opponent}) do
    if redis.call('HEXISTS', states, player) == 0 then
      return '?' .. player
    end
  end
  local log_id = redis.call('XADD', log, '*', 'result', entry)
  redis.call('HSET', ids, id, content .. log_id)
  if status then
    close(battle, challenger, log_id)
  end
  return '+' .. log_id
end

local reply, accepted = {'done', 0}, false
for number = 0, #KEYS - FIRST_BATTLE do
  local at = FIRST_RESULT + 5 * number
  local word = accept(number, KEYS[FIRST_BATTLE + number], unpack(ARGV, at, at + 4))
  accepted = accepted or (not judges and word:sub(1, 1) == '+')
  reply[#reply + 1] = word
end
if accepted and redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) then
  reply[2] = 1
end
return reply
