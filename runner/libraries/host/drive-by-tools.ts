import type { HostOrder, HostReport } from '../host-protocol.ts'
import type { LibraryAdapter, Session } from '../library-adapter.ts'
import { plainMessage } from './plain-message.ts'
import { playModel } from './play-model.ts'
import { withinTime } from './within-time.ts'

const MOST_CONNECT_MS = 30_000
const MOST_CLOSE_MS = 5000

/** Opens a library's MCP server and lets the model of an order drive it. Never throws for what either does. */
export async function driveByTools(
  order: HostOrder,
  drive: Extract<HostOrder['drive'], { kind: 'llm' }>,
  library: LibraryAdapter,
  session: Session,
  tools: Parameters<typeof playModel>[3],
): Promise<Omit<HostReport, 'resultBytes' | 'resultTokens'>> {
  const open = library.openTools?.(session)
  if (open === undefined) throw new Error(`${library.title} has no tools that a model could call`)
  try {
    const server = await withinTime(open, MOST_CONNECT_MS, 'opening its tools')
    const connectMs = tools.now()
    const played = await playModel(order, drive, server, tools)
    await withinTime(server.close(), MOST_CLOSE_MS, 'closing').catch((error) =>
      tools.log(plainMessage(error)),
    )
    return { ...played, connectMs }
  } catch (error) {
    const message = plainMessage(error)
    tools.log(message)
    const libraryError = { step: null, action: 'connect', message }
    const at = Date.now()
    return { ending: 'gave-up', connectMs: null, libraryError, rung: null, firstErrorAt: at }
  }
}
