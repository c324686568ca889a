import { z } from 'zod'

const MOST_LOOK_MS = 20_000
const versionSchema = z.object({ webSocketDebuggerUrl: z.string() })

/** For a library that is not given the port but the address of the browser's own connection. */
export async function findWebSocket(endpoint: string): Promise<string> {
  const signal = AbortSignal.timeout(MOST_LOOK_MS)
  const answer = await fetch(`${endpoint}/json/version`, { signal })
  return versionSchema.parse(await answer.json()).webSocketDebuggerUrl
}
