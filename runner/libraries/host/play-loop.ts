import { type HostReport, type HostRequest, plainMessage } from '../host-protocol.ts'
import type { LibraryAdapter, Session } from '../library-adapter.ts'
import { type HostTools, ModelActions } from './model-actions.ts'

/** Lets a library's own model loop do the task of an order. Never throws for what either does. */
export async function driveByLoop(
  order: HostRequest,
  drive: Extract<HostRequest['drive'], { kind: 'llm' }>,
  loop: NonNullable<LibraryAdapter['modelLoop']>,
  session: Session,
  tools: HostTools,
): Promise<Omit<HostReport, 'resultBytes' | 'resultTokens'>> {
  const actions = new ModelActions(order, tools)
  let connectMs: number | null = null
  try {
    const { kind, ...model } = drive
    const wantsMore = await loop.run(
      { ...session, signal: AbortSignal.any([session.signal, actions.ending.signal]) },
      {
        ...model,
        start: `${order.origin}${order.start}`,
        files: Object.values(order.files),
        connected: () => {
          connectMs ??= tools.now()
        },
        act: (name, args, run) => actions.act(name, args, run),
      },
    )
    return { ...actions.finish({ wantsMore }), connectMs }
  } catch (error) {
    const played = actions.giveUp(error)
    const message = plainMessage(error)
    const action = connectMs === null ? 'connect' : null
    const libraryError = played.libraryError ?? { step: null, action, message }
    return { ...played, libraryError, firstErrorAt: played.firstErrorAt ?? Date.now(), connectMs }
  }
}
