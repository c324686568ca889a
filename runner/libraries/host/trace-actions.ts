import { basename } from 'node:path'
import type { TracedAction } from '#lib/domain/record/index.ts'
import type { ActionName, BrowserActions, Target } from '../action-surface.ts'
import { plainMessage } from '../host-protocol.ts'
import { withinTime } from './within-time.ts'

/** Added to a library's own time limit before a hang counts as an error. */
const GRACE_MS = 5000

/** State of the actions so far; `step` is set by the player of the steps. */
export type ActionTrace = {
  step: string | null
  count: number
  /** Resolves when an action beyond the limit is requested; that action never completes. */
  out: Promise<void>
  /** Milliseconds since the epoch. */
  firstErrorAt: number | null
  /** Marks the end of the step. */
  endStep: () => void
  /** The last failed action. */
  lastError: { error: unknown; action: ActionName } | null
}

type Limits = { actionTimeoutMs: number; maxActions: number }

type Tools = {
  now: () => number
  keep: (action: TracedAction) => void
  keepStep?: (end: { step: string; endMs: number }) => void
}

/**
 * Wraps the actions so that each is timed, counted and limited: `keep` gets one entry per action, with the error if it
 * threw. `now` is a monotonic clock that began when the library began to connect, in milliseconds.
 */
export function traceActions(
  actions: BrowserActions,
  limits: Limits,
  { now, keep, keepStep }: Tools,
): { page: BrowserActions; trace: ActionTrace } {
  let tellOut = () => {}
  const out = new Promise<void>((resolve) => {
    tellOut = resolve
  })
  const trace: ActionTrace = {
    step: null,
    count: 0,
    out,
    endStep: () => {
      if (trace.step !== null) keepStep?.({ step: trace.step.slice(0, 200), endMs: now() })
    },
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
    const traced = { step: trace.step?.slice(0, 200) ?? null, action, startMs }
    const target = describeAction(action, args)
    const run = actions[action] as (...args: readonly unknown[]) => Promise<unknown>
    try {
      const result = await withinTime(
        run.apply(actions, [...args]),
        limits.actionTimeoutMs + GRACE_MS,
        action,
      )
      keep({ ...traced, target, durationMs: now() - startMs, error: null })
      return result
    } catch (error) {
      trace.firstErrorAt ??= Date.now()
      trace.lastError = { error, action }
      keep({ ...traced, target, durationMs: now() - startMs, error: plainMessage(error) })
      throw error
    }
  }
  const page = new Proxy(actions, {
    get: (_, name) =>
      name in actions ? (...args: unknown[]) => call(name as ActionName, args) : undefined,
  })
  return { page, trace }
}

const MOST = 500

/** Describes the target of an action for the trace, without typed text; null if it has none. */
function describeAction(action: ActionName, args: readonly unknown[]): string | null {
  const aim = describe(action, args)
  return aim !== null && aim.length > MOST ? `${aim.slice(0, MOST - 1)}…` : aim
}

function describe(action: ActionName, [first, second]: readonly unknown[]): string | null {
  if (action === 'open') return String(first)
  if (action === 'press' || action === 'waitText') {
    const what = action === 'press' ? String(first) : `“${first}”`
    return isTarget(second) ? `${what} in ${name(second)}` : what
  }
  if (!isTarget(first)) return null
  if (action === 'drag' && isTarget(second)) return `${name(first)} → ${name(second)}`
  if (action === 'select') return `${name(first)}: ${second}`
  if (action === 'upload') return `${name(first)}: ${fileNames(second)}`
  return name(first)
}

function fileNames(paths: unknown): string {
  return Array.isArray(paths) ? paths.map((path) => basename(String(path))).join(', ') : ''
}

function isTarget(value: unknown): value is Target {
  return typeof value === 'object' && value !== null && 'css' in value
}

function name(target: Target): string {
  return target.role === undefined ? target.css : `${target.role} “${target.name ?? ''}”`
}
