import { z } from 'zod'

const MAX_LOOK_MS = 20_000
const versionSchema = z.object({ webSocketDebuggerUrl: z.string() })

/** Returns the browser's own WebSocket URL, for a library that does not accept the port. */
export async function findWebSocket(endpoint: string): Promise<string> {
  const signal = AbortSignal.timeout(MAX_LOOK_MS)
  const response = await fetch(`${endpoint}/json/version`, { signal })
  return versionSchema.parse(await response.json()).webSocketDebuggerUrl
}
