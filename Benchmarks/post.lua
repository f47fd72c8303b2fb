-- Arguments behind `--`: the file with the body, its Content-Type, and optionally how many milliseconds a connection
-- waits between an answer and its next request.
-- The request is built once for each thread; no `request` function, so wrk sends it without entering Lua.

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  wrk.method = "POST"
  wrk.body = file:read("*a")
  wrk.headers["Content-Type"] = arguments[2]
  file:close()
  local pause = tonumber(arguments[3] or 0)
  -- Only where there is one: wrk asks for each request.
  if pause > 0 then delay = function() return pause end end
end

function done(summary)
  local errors = summary.errors
  print(string.format(
    'result {"requests": %d, "microseconds": %d, "failures": %d}', summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
