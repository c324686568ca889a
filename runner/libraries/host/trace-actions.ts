import type { TracedAction } from '#lib/domain/browser/traced-action.ts'
import type { ActionName, BrowserActions } from '../action-surface.ts'
import { describeAction } from './describe-action.ts'
import { plainMessage } from './plain-message.ts'
import { withinTime } from './within-time.ts'

/** What is added to a library's own time limit before a hang counts as an error. */
const GRACE_MS = 5000

/** What is known of the actions so far; `step` is set by whoever plays the steps. */
export type ActionTrace = {
  step: string | null
  count: number
  /** Resolves when one more action is asked for than there may be; that action is never answered. */
  out: Promise<void>
  /** Milliseconds since the epoch. */
  firstErrorAt: number | null
  /** The last action that failed. */
  lastError: { error: unknown; action: ActionName } | null
}

type Limits = { actionTimeoutMs: number; maxActions: number }

/**
 * The same actions, each one timed, counted and bounded: `keep` gets one entry an action, with the error where one was
 * thrown. `now` is a monotonic clock that began when the library began to connect, in milliseconds.
 */
export function traceActions(
  actions: BrowserActions,
  limits: Limits,
  { now, keep }: { now: () => number; keep: (action: TracedAction) => void },
): { page: BrowserActions; trace: ActionTrace } {
  let tellOut = () => {}
  const out = new Promise<void>((resolve) => {
    tellOut = resolve
  })
  const trace: ActionTrace = {
    step: null,
    count: 0,
    out,
    firstErrorAt: null,
    lastError: null,
  }
  const call = async (action: ActionName, args: readonly unknown[]) => {
    if (trace.count >= limits.maxActions) {
      tellOut()
      return new Promise(() => {}) // an error could be caught, and the next action tried
    }
    trace.count += 1
    const startMs = now()
    const kept = { step: trace.step?.slice(0, 200) ?? null, action, startMs }
    const target = describeAction(action, args)
    const run = actions[action] as (...args: readonly unknown[]) => Promise<unknown>
    try {
      const answer = await withinTime(
        run.apply(actions, [...args]),
        limits.actionTimeoutMs + GRACE_MS,
        action,
      )
      keep({ ...kept, target, durationMs: now() - startMs, error: null })
      return answer
    } catch (error) {
      trace.firstErrorAt ??= Date.now()
      trace.lastError = { error, action }
      keep({ ...kept, target, durationMs: now() - startMs, error: plainMessage(error) })
      throw error
    }
  }
  const page = new Proxy(actions, {
    get: (_, name) =>
      name in actions ? (...args: unknown[]) => call(name as ActionName, args) : undefined,
  })
  return { page, trace }
}
