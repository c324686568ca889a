import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayReport } from '../../gateway/gateway-report.ts'
import type { SubjectContext, SubjectEnding } from '../subject-driver.ts'
import { ignoredPaths, stampWorkspace } from './watch-progress.ts'

/** Silence after the final answer, after which an agent counts as finished. */
const QUIET_MS = 60_000
const LOOK_EVERY_MS = 2000
/** Maximum wait for a provider; a longer refusal ends the attempt, which is then excluded. */
const MAX_PROVIDER_WAIT_MS = 120_000

type Watched = {
  report: () => GatewayReport
  workspace: string
  isIgnored: (path: string) => boolean
  logPath: string
  quietMs?: number
}

/** Watches an agent behind its gateway; see `watchFinished`. */
export function watchAgent(
  { report }: Pick<Watched, 'report'>,
  { task, workspace, log }: SubjectContext,
  droppings: readonly string[],
): ReturnType<typeof watchFinished> {
  const isIgnored = ignoredPaths(task, droppings)
  return watchFinished({ report, workspace, isIgnored, logPath: log.path })
}

/**
 * Watches for two endings that an agent's process does not show: after its final answer it requested nothing, changed
 * nothing and printed nothing for `quietMs`; or its provider refuses calls for longer than an agent waits. `finished`
 * aborts at either.
 */
export function watchFinished(watched: Watched): { finished: AbortSignal; end: () => void } {
  const finished = new AbortController()
  const stop = new AbortController()
  void untilFinished(watched, stop.signal).then(() => {
    if (!stop.signal.aborted) finished.abort()
  })
  return { finished: finished.signal, end: () => stop.abort() }
}

async function untilFinished(watched: Watched, stop: AbortSignal): Promise<void> {
  const { report, quietMs = QUIET_MS } = watched
  let before: string | null = null
  let quietSince = performance.now()
  while (!stop.aborted && !isRefusedForLong(report())) {
    const now = await stamp(watched)
    if (now === null || now !== before) quietSince = performance.now()
    before = now
    if (performance.now() - quietSince >= quietMs) return
    await sleep(Math.min(LOOK_EVERY_MS, quietMs), undefined, { signal: stop }).catch(() => {})
  }
}

function isRefusedForLong({ providerFailure }: GatewayReport): boolean {
  if (!providerFailure?.retryAt || providerFailure.isProvoked) return false
  return Date.parse(providerFailure.retryAt) - Date.now() > MAX_PROVIDER_WAIT_MS
}

/**
 * Digest of the state that a finished agent leaves unchanged; null before the final answer, or if the workspace cannot
 * be read.
 */
async function stamp({ report, workspace, isIgnored, logPath }: Watched): Promise<string | null> {
  const { finalAnswerAt } = report()
  if (finalAnswerAt === null) return null
  const files = await stampWorkspace(workspace, isIgnored)
  const size = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0
  return files && `${finalAnswerAt} ${size} ${files}`
}

/** Returns the time from the final answer to the end of an agent that had to be ended. */
export function lingeredOf(
  { cause }: SubjectEnding,
  report: GatewayReport | null,
): Pick<SubjectEnding, 'lingeredMs'> {
  if (!report?.finalAnswerAt || (cause !== 'finished' && cause !== 'timeout')) return {}
  return { lingeredMs: Math.max(0, Date.now() - Date.parse(report.finalAnswerAt)) }
}
