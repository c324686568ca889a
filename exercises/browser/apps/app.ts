/** A request as an app gets it: parsed, with the session's user where there is one. */
export type AppRequest = {
  method: string
  path: string
  query: URLSearchParams
  /** Fields of a form or JSON body; files of a multipart one. */
  body: Record<string, unknown>
  files: { field: string; name: string; type: string; bytes: Buffer }[]
  cookies: Record<string, string>
}

export type AppResponse = {
  status: number
  type: string
  body: string | Buffer
  headers?: Record<string, string>
}

/**
 * One app as its server knows it: `seed` makes the state of a new tenant, the same for the same number; `handle`
 * answers a request and may change the state; `expose` is the part of the state that contracts are judged by, as JSON.
 * No clock and no chance of its own: `now` and `draw` are given, so that two subjects meet the same app.
 */
export type App<State> = {
  name: string
  seed: (draw: Draw) => State
  handle: (state: State, request: AppRequest, tools: AppTools) => AppResponse | Promise<AppResponse>
  expose: (state: State) => unknown
  /** Ends every session of the tenant: the fault `session-expiry`. Absent = the app has no sign-in. */
  expireSessions?: (state: State) => void
}

/** Seeded numbers in [0, 1). */
export type Draw = () => number

export type AppTools = {
  /** The tenant's own time: starts at 2026-03-02T09:00:00Z, runs on as real time does. */
  now: () => Date
  draw: Draw
  origin: string
  /** Sends something to every open page of the tenant (server-sent events at /events). */
  announce: (event: string, data: unknown) => void
}
