/**
 * Run once in the interpreter's VM: what Lua 5.1 has and 5.3 has not, and the globals of scripts, which it returns. Redis's
 * pcall hands out an error's text where the error is a table. `lockpick_worded` turns messages into those of Lua 5.1.
 */
export const PRELUDE = `
local error, setmetatable, rawget, next, type, pcall, load = error, setmetatable, rawget, next, type, pcall, load
local tostring, worded, isText = tostring, lockpick_worded, { string = true, number = true }
local fmod, log = math.fmod, math.log
math.log = function(x) return log(x) end
math.pow = function(a, b) return a ^ b end
math.mod = fmod
math.log10 = function(x) return log(x, 10) end
math.frexp = function(x)
  if x == 0 or x ~= x or x == 1 / 0 or x == -1 / 0 then return x, 0 end
  local e = 0
  while x >= 1 or x <= -1 do x, e = x / 2, e + 1 end
  while x < 0.5 and x > -0.5 do x, e = x * 2, e - 1 end
  return x, e
end
math.ldexp = function(x, e) return x * 2 ^ e end
math.cosh = function(x) return (math.exp(x) + math.exp(-x)) / 2 end
math.sinh = function(x) return (math.exp(x) - math.exp(-x)) / 2 end
math.tanh = function(x) local e = math.exp(2 * x) return (e - 1) / (e + 1) end
math.atan2 = math.atan
math.type, math.tointeger, math.ult = nil, nil, nil
math.maxinteger, math.mininteger = nil, nil
-- Quicksort by the median of three, without the random pivots of Lua 5.3.
local floor = math.floor
table.sort = function(t, less)
  less = less or function(a, b) return a < b end
  local function sort(lo, up)
    while lo < up do
      if less(t[up], t[lo]) then t[lo], t[up] = t[up], t[lo] end
      if up - lo == 1 then return end
      local mid = floor((lo + up) / 2)
      if less(t[mid], t[lo]) then t[mid], t[lo] = t[lo], t[mid]
      elseif less(t[up], t[mid]) then t[mid], t[up] = t[up], t[mid] end
      if up - lo == 2 then return end
      local pivot = t[mid]
      t[mid], t[up - 1] = t[up - 1], pivot
      local i, j = lo, up - 1
      while true do
        repeat
          i = i + 1
          if i > up then error('invalid order function for sorting', 3) end
        until not less(t[i], pivot)
        repeat
          j = j - 1
          if j < lo then error('invalid order function for sorting', 3) end
        until not less(pivot, t[j])
        if j < i then break end
        t[i], t[j] = t[j], t[i]
      end
      t[up - 1], t[i] = t[i], t[up - 1]
      if i - lo < up - i then
        sort(lo, i - 1)
        lo = i + 1
      else
        sort(i + 1, up)
        up = i - 1
      end
    end
  end
  sort(1, #t)
end
table.setn = function() error("'setn' is obsolete", 2) end
table.getn = function(t) return #t end
table.maxn = function(t)
  local most = 0
  for k in next, t do if type(k) == 'number' and k > most then most = k end end
  return most
end
table.foreach = function(t, f)
  for k, v in next, t do local r = f(k, v) if r ~= nil then return r end end
end
table.foreachi = function(t, f)
  for i = 1, #t do local r = f(i, t[i]) if r ~= nil then return r end end
end
table.pack, table.unpack, table.move = nil, nil, nil
string.gfind = string.gmatch
string.pack, string.unpack, string.packsize = nil, nil, nil
local function unwrapped(ok, e, ...)
  if ok then return ok, e, ... end
  if type(e) == 'table' and type(rawget(e, 'err')) == 'string' then return ok, e.err end
  return ok, (worded(e)), ...
end
local xpcall, resume, raw_yield, running = xpcall, coroutine.resume, coroutine.yield, coroutine.running
coroutine.resume = function(...)
  local function reworded(ok, e, ...)
    if ok then return ok, e, ... end
    return ok, (worded(e))
  end
  return reworded(resume(...))
end
coroutine.yield = function(...)
  if select(2, running()) then error('attempt to yield across metamethod/C-call boundary', 0) end
  return raw_yield(...)
end
coroutine.isyieldable = nil
coroutine.running = function()
  local co, main = running()
  if not main then return co end
end
local environment
local collections = { stop = 0, restart = 0, collect = 0, count = 64, step = true, setpause = 200, setstepmul = 200 }
environment = {
  assert = function(...)
    local value, message = ...
    if value then return ... end
    if select('#', ...) == 0 then error("bad argument #1 to 'assert' (value expected)", 2) end
    if message == nil then message = 'assertion failed!' end
    if not isText[type(message)] then
      error("bad argument #2 to 'assert' (string expected, got " .. type(message) .. ')', 2)
    end
    error(tostring(message), 2)
  end,
  error = function(message, level)
    level = level or 1
    if type(message) == 'number' then message = tostring(message) end
    error(message, level > 0 and level + 1 or level)
  end,
  getmetatable = getmetatable, ipairs = ipairs, next = next, pairs = pairs, pcall = function(...) return unwrapped(pcall(...)) end,
  rawequal = rawequal, rawget = rawget, rawset = rawset, select = select, setmetatable = lockpick_setmetatable,
  tonumber = tonumber, tostring = tostring, type = type, unpack = unpack, _VERSION = 'Lua 5.1',
  xpcall = function(f, handler)
    return xpcall(f, function(e)
      local text, stopped = worded(e)
      -- No hook runs while a hook raises: a handler that never ends would never be stopped.
      if stopped then return text end
      return handler(text)
    end)
  end,
  collectgarbage = function(what)
    local result = collections[what or 'collect']
    if result == nil then error("bad argument #1 to 'collectgarbage' (invalid option '" .. tostring(what) .. "')", 2) end
    return result
  end,
  gcinfo = function() return 64 end,
  loadstring = function(text, name) return load(text, name or text, 't', environment) end,
  load = function(f, name)
    if type(f) ~= 'function' then error("bad argument #1 to 'load' (function expected, got " .. type(f) .. ')', 2) end
    return load(f, name, 't', environment)
  end,
  string = string, table = table, math = math, coroutine = coroutine,
  redis = redis, cjson = cjson, cmsgpack = cmsgpack, struct = struct, bit = bit,
}
environment._G = environment
setmetatable(environment, { __index = function(_, name)
  error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
end })
return environment
`;
