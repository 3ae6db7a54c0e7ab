-- Adds requests that one process has counted in a window of time, and tells how many all processes have.
--
-- KEYS: window
-- ARGV: seconds to keep the window, then for each of those who made requests: name, number of them
-- Returns the numbers of all processes, in the same order

local window = KEYS[1]
local totals = {}
for i = 2, #ARGV, 2 do
  totals[i / 2] = redis.call('HINCRBY', window, ARGV[i], ARGV[i + 1])
end
redis.call('EXPIRE', window, ARGV[1])
return totals
