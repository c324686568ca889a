import { describeStop, type StopDecision } from '#lib/domain/board/index.ts'
import type { Episode, RunEvent } from '#lib/domain/record/index.ts'
import type { Clock } from './clock.ts'
import type { RunFolder } from './run-folder.ts'
import { describeSpending, type SpendReport } from './spending.ts'

type Emitter = { emit: (event: RunEvent) => void; clock: Clock; signal: AbortSignal }

type Ending = {
  stopped: boolean
  /** Null = no cap was set. */
  spend: SpendReport | null
  /** Why the run stopped before its plan was done; null = it did not. */
  gaveUp: string | null
  /** The decision by which the plan stopped; null = it has none, or has not stopped. */
  decided: StopDecision | null
  folder: RunFolder
  episodes: readonly Episode[]
  /** Required slots that are not settled. */
  missing: number
}

/** Reports why a run starts nothing more, and then its end. */
export function emitEnding({ emit, clock, signal }: Emitter, ending: Ending): void {
  const { folder, episodes, stopped, missing, spend, gaveUp, decided } = ending
  const at = clock.now()
  if (!stopped && missing > 0 && spend?.closed) {
    const { capMicroUsd, spentMicroUsd, unknownAttempts } = spend
    const cap = { capMicroUsd, spentMicroUsd, unknownAttempts }
    const reason = describeSpending(spend, missing)
    emit({ event: 'spend-cap-reached', at, ...cap, missing, reason })
  }
  if (!stopped && gaveUp !== null) emit({ event: 'run-given-up', at, missing, reason: gaveUp })
  if (decided) {
    const { after, planned } = decided
    emit({ event: 'run-decided', at, after, planned, reason: describeStop(decided) })
  }
  if (stopped) {
    emit({ event: 'run-stopped', at, reason: String(signal.reason ?? 'stopped') })
    return
  }
  const voids = episodes.filter(({ outcome }) => outcome.status === 'void').length
  const { resultPath } = folder
  emit({ event: 'run-ended', at, sealed: episodes.length, void: voids, resultPath })
}
