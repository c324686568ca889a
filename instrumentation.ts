/** Next calls this once when a server process starts, before the first request. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next's own switch, replaced when it builds
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { bootServer } = await import('#lib/server/http/boot-server.ts')
  await bootServer()
}

/** Next calls this with uncaught errors of a page or an action. */
export async function onRequestError(
  error: unknown,
  {
    path,
    method,
    headers,
  }: { path: string; method: string; headers: NodeJS.Dict<string | string[]> },
): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next's own switch, replaced when it builds
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { refuseUndecoded } = await import('#lib/server/http/pending-forms.ts')
  if (refuseUndecoded(headers)) return
  const { logPageError } = await import('#lib/server/http/boot-server.ts')
  const requestId = headers['x-request-id']
  logPageError(error, { path, method, requestId: requestId ? String(requestId) : null })
}
