-- Arguments behind `--`: the file with the body, its Content-Type.
-- The request is built once for each thread; no `request` function, so wrk sends it without entering Lua.

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  wrk.method = "POST"
  wrk.body = file:read("*a")
  wrk.headers["Content-Type"] = arguments[2]
  file:close()
end

function done(summary)
  local errors = summary.errors
  print(string.format(
    'result {"requests": %d, "microseconds": %d, "failures": %d}', summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
