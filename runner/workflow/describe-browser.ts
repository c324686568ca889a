import {
  type BrowserFaultKind,
  type BrowserRecord,
  browserFaultKindSchema,
  formatLoad,
  type MachineLoad,
  type Outcome,
} from '#lib/domain/record/index.ts'
import type { Firing, SeenRequest } from '../apps/app-pool.ts'
import type { BrowserLease } from '../browser/browser-pool.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import type { HarnessClock } from './harness-clock.ts'
import { endingError, type PlayedWorkflow, type WorkflowPlayer } from './workflow-player.ts'

type Parts = {
  player: WorkflowPlayer
  lease: Pick<BrowserLease, 'reuse' | 'reach'>
  /** Null = the app was never queried. */
  requests: readonly SeenRequest[] | null
  played: PlayedWorkflow | null
  firing: Firing | null
  processes: BrowserRecord['processes']
  load: MachineLoad | null
  reset: BrowserRecord['reset']
  clock: HarnessClock
}

/** Builds the browser part of an envelope, besides outcome and contract. */
export function browserRecord({ player, lease, played, clock, ...parts }: Parts): BrowserRecord {
  const report = played?.report ?? null
  return {
    driven: player.driven,
    targeting: player.targeting,
    reuse: lease.reuse,
    connectMs: report?.connectMs ?? null,
    harnessMs: clock.totalMs(),
    harnessParts: clock.parts(),
    resultBytes: report?.resultBytes ?? null,
    resultTokens: report?.resultTokens ?? null,
    libraryError: endingError(report),
    recovery: recoveryOf(played, parts.firing),
    processes: parts.processes,
    ...(parts.load && { load: parts.load }),
    reach: reachOf(lease, parts.requests),
    reset: parts.reset,
  }
}

function reachOf({ reach }: Parts['lease'], requests: Parts['requests']): BrowserRecord['reach'] {
  const clients = requests?.map(({ client }) => client) ?? []
  const toldApart = clients.length === 0 ? null : !clients.includes(null)
  const refused = clients.filter((client) => client !== 'browser').length
  const sandbox = reach === null ? 'none' : 'bubblewrap'
  return { sandbox, toldApart, refused: toldApart ? refused : null }
}

function recoveryOf(
  played: PlayedWorkflow | null,
  firing: Firing | null,
): BrowserRecord['recovery'] {
  const report = played?.report ?? null
  if (report === null) return null
  const { rung, firstErrorAt } = report
  if (firing === null) return rung && { fault: null, rung, detectMs: null }
  const fault: BrowserFaultKind = browserFaultKindSchema.parse(firing.kind)
  const since = firstErrorAt === null ? null : firstErrorAt - Date.parse(firing.at)
  // An error from before the fault is not a detection of it.
  const detectMs = since === null || since < 0 ? null : since
  return { fault, rung: rung ?? 'automatic', detectMs }
}

/**
 * Voids an episode that lost a tenth of its CPU time or more to other programs: it says nothing about its subject,
 * however it ended, and voiding only failures would favour subjects that fail. Null = it counts.
 */
export function voidIfStarved(load: MachineLoad | null, env: Env): Outcome | null {
  if (load?.state !== 'starved' || env.PROOFBOARD_STARVED_LIMIT === 'none') return null
  const reason = `the machine was too busy: it ${formatLoad(load)}`
  return { status: 'void', fault: 'infrastructure', reason }
}
