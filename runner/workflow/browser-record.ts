import { type BrowserFaultKind, browserFaultKindSchema } from '#lib/domain/browser/browser-fault.ts'
import type { BrowserRecord } from '#lib/domain/browser/browser-record.ts'
import type { Firing } from '../apps/app-house.ts'
import type { BrowserLease } from '../browser/browser-house.ts'
import type { FinalView } from './read-final-view.ts'
import { endingError, type Played, type WorkflowPlayer } from './workflow-player.ts'

type Parts = {
  player: WorkflowPlayer
  lease: Pick<BrowserLease, 'reuse' | 'reach'>
  view: FinalView | null
  played: Played | null
  firing: Firing | null
  processes: BrowserRecord['processes']
  reset: BrowserRecord['reset']
  harnessMs: number
}

/** What an envelope says of a browser episode beside outcome and contract. */
export function browserRecord({ player, lease, played, ...parts }: Parts): BrowserRecord {
  const report = played?.report ?? null
  return {
    driven: player.driven,
    targeting: player.targeting,
    reuse: lease.reuse,
    connectMs: report?.connectMs ?? null,
    harnessMs: Math.round(parts.harnessMs * 10) / 10,
    resultBytes: report?.resultBytes ?? null,
    resultTokens: report?.resultTokens ?? null,
    libraryError: endingError(report),
    recovery: recoveryOf(played, parts.firing),
    processes: parts.processes,
    reach: reachOf(lease, parts.view),
    reset: parts.reset,
  }
}

function reachOf({ reach }: Parts['lease'], view: FinalView | null): BrowserRecord['reach'] {
  const clients = view?.requests.map(({ client }) => client) ?? []
  const toldApart = clients.length === 0 ? null : !clients.includes(null)
  const refused = clients.filter((client) => client !== 'browser').length
  const sandbox = reach === null ? 'none' : 'bubblewrap'
  return { sandbox, toldApart, refused: toldApart ? refused : null }
}

function recoveryOf(played: Played | null, firing: Firing | null): BrowserRecord['recovery'] {
  const report = played?.report ?? null
  if (report === null) return null
  const { rung, firstErrorAt } = report
  if (firing === null) return rung && { fault: null, rung, detectMs: null }
  const fault: BrowserFaultKind = browserFaultKindSchema.parse(firing.kind)
  const since = firstErrorAt === null ? null : firstErrorAt - Date.parse(firing.at)
  // An error from before the fault is no detection of it.
  const detectMs = since === null || since < 0 ? null : since
  return { fault, rung: rung ?? 'automatic', detectMs }
}
