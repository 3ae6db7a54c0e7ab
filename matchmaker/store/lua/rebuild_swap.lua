-- Another generation takes the place of the live one, all at once; the live one is kept.
--
-- KEYS: ladder, rebuilding, standstill, log, awake, then all keys of the live generation, as many of the rebuilt one, as
--       many of the previous one; each time cursor, states, ratings and strengths come first
-- ARGV: revision, word of whoever rebuilds, "rebuilt" | "previous": which one comes; last log entry that was looked
--       at, "1" if there are results that the rule cannot rate else "0", milliseconds awake, number of the generation
--       that comes ("" gives it a new one), new settings as JSON, log entry of the change, eras as JSON, what is to be
--       known of the one that goes as JSON, the entry id that stands in these two for the one of the change, log entry up
--       to which an earlier attempt has carried out what stands behind the cursor (or ""), number of players who have
--       joined since then,
--       then for each: player, packed state; then the players whose place is to be looked up
-- Returns {"stale"} | {"lost"}: somebody else rebuilds the ladder | {"behind"}: the live generation is further
--       | {"again"}: the log goes on with what must be looked at; up to there it is carried out, and need not come again
--       | {"gone"}: this server does not have (any more) what was looked at or carried out
--       | {"uneven"}: the two have not the same players
--       | {"done", number of the generation, log id of the change, 1 if a folding job must be called else 0}, also when it is
--         sent again because the answer was lost
--
-- Joins and suspensions take effect when they are accepted, the rest of the log when it is folded. So the generation
-- that comes has the same cursor as the one that goes, and of what stands behind it, these are carried out here.

local ladder, rebuilding, standstill, log, awake = unpack(KEYS, 1, 5)
local SIZE = (#KEYS - 5) / 3
local live, rebuilt = {unpack(KEYS, 6, 5 + SIZE)}, {unpack(KEYS, 6 + SIZE, 5 + 2 * SIZE)}
local previous = {unpack(KEYS, 6 + 2 * SIZE)}
local CURSOR, STATES, RATINGS, STRENGTHS = 1, 2, 3, 4
local HAS_STRENGTH = {[16] = true, [34] = true, [44] = true} -- packed states of these lengths
local FIRST_JOIN = 15
local revision, word, coming, seen, is_choosy, awake_ms = unpack(ARGV, 1, 6)
local number, body, entry, eras, going, open_end, carried, joins = unpack(ARGV, 7, 14)
local AT_ONCE = {join = true, suspend = true, reinstate = true}

-- Whether it is a result that every rule can rate.
local function is_won_duel(result)
  local _, initiator, opponent, outcome = unpack(result)
  return type(initiator) == 'string' and type(opponent) == 'string' and (outcome == 'win' or outcome == 'loss')
end

local swap = redis.call('HGET', ladder, 'swap')
if swap and swap:match('^%S+') == word then
  return {'done', redis.call('HGET', ladder, 'generation'), swap:match('%S+$'), 1}
end
if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
elseif redis.call('GET', rebuilding) ~= word then
  return {'lost'}
end
local new = coming == 'previous' and previous or rebuilt
if redis.call('GET', live[CURSOR]) ~= redis.call('GET', new[CURSOR]) then
  return {'behind'}
end
if seen ~= '0-0' and #redis.call('XRANGE', log, seen, seen) == 0 then
  return {'gone'}
end
if carried ~= '' and redis.call('HGET', ladder, 'tail') ~= word .. ' ' .. carried then
  return {'gone'}
end

local first_placed = FIRST_JOIN + 2 * joins
for at = FIRST_JOIN, first_placed - 1, 2 do
  redis.call('HSETNX', new[STATES], ARGV[at], ARGV[at + 1])
end
for at = first_placed, #ARGV do
  local player = ARGV[at]
  if redis.call('ZSCORE', live[RATINGS], player) then
    -- A packed state begins with the rating; where pools go by another number, that comes next.
    local state = redis.call('HGET', new[STATES], player)
    redis.call('ZADD', new[RATINGS], string.format('%.17g', struct.unpack('<d', state)), player)
    if HAS_STRENGTH[#state] then
      redis.call('ZADD', new[STRENGTHS], string.format('%.17g', struct.unpack('<d', state, 9)), player)
    end
  else
    redis.call('ZREM', new[RATINGS], player)
    redis.call('ZREM', new[STRENGTHS], player)
  end
end
for _, each in ipairs(redis.call('XRANGE', log, '(' .. seen, '+')) do
  local kind, text = unpack(each[2])
  if AT_ONCE[kind] or (is_choosy == '1' and kind == 'result' and not is_won_duel(cjson.decode(text))) then
    redis.call('HSET', ladder, 'tail', word .. ' ' .. seen)
    return {'again'}
  end
end
if redis.call('HLEN', live[STATES]) ~= redis.call('HLEN', new[STATES])
  or redis.call('ZCARD', live[RATINGS]) ~= redis.call('ZCARD', new[RATINGS]) then
  return {'uneven'}
end

local function move(from, to)
  redis.call('UNLINK', unpack(to))
  for i, key in ipairs(from) do
    if redis.call('EXISTS', key) == 1 then
      redis.call('RENAME', key, to[i])
    end
  end
end

if coming == 'previous' then
  move(live, rebuilt)
  move(previous, live)
  move(rebuilt, previous)
else
  move(live, previous)
  move(rebuilt, live)
end
if number == '' then
  number = tostring(redis.call('HINCRBY', ladder, 'generations', 1))
end
local log_id = redis.call('XADD', log, '*', 'reform', entry)
local function dated(text)
  return (text:gsub(open_end:gsub('%-', '%%-'), log_id))
end
redis.call('HSET', ladder, 'body', body, 'generation', number, 'previous', dated(going), 'eras', dated(eras))
redis.call('HSET', ladder, 'swap', word .. ' ' .. log_id)
if eras == '[]' then
  redis.call('HDEL', ladder, 'eras')
end
-- By a number that the settings decide, as in put_ladder.lua.
redis.call('HINCRBY', ladder, 'revision', 1 + tonumber(redis.sha1hex(number .. body):sub(1, 8), 16))
redis.call('DEL', rebuilding, standstill)
redis.call('HDEL', ladder, 'tail')
return {'done', number, log_id, redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) and 1 or 0}
