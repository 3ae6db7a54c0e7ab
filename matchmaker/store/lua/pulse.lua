-- How a ladder is doing, at the same cost however long its log and its board are.
--
-- KEYS: ladder, cursor, log, ratings, states, counters, to_review, queue of flags, queue of open disputes
-- Returns {} if there is no such ladder
--       | {players, players on the board, entries behind the cursor, age of the oldest of them in milliseconds,
--          players to review, flags that are raised, open disputes, counter, value, ...}

local ladder, cursor, log, ratings, states, counters, to_review, flags, disputes = unpack(KEYS)

if redis.call('HEXISTS', ladder, 'body') == 0 then
  return {}
end

local backlog, age = 0, 0
local oldest = redis.call('XRANGE', log, '(' .. (redis.call('GET', cursor) or '0-0'), '+', 'COUNT', 1)[1]
if oldest then
  local about = redis.call('XINFO', 'STREAM', log)
  for i = 1, #about, 2 do
    if about[i] == 'entries-added' then
      backlog = about[i + 1] - (redis.call('HGET', counters, 'folded') or 0)
    end
  end
  backlog = math.max(backlog, 1)
  local now = redis.call('TIME')
  age = math.max(now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(oldest[1]:match('^%d+')), 0)
end

local reply = {redis.call('HLEN', states), redis.call('ZCARD', ratings), backlog, age}
reply[5], reply[6], reply[7] =
  redis.call('HLEN', to_review), redis.call('ZCARD', flags), redis.call('ZCARD', disputes)
for _, word in ipairs(redis.call('HGETALL', counters)) do
  reply[#reply + 1] = word
end
return reply
