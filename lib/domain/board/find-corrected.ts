import type { Correction, LedgerState } from '../ledger/index.ts'
import { type EpisodeFact, isScored } from '../record/index.ts'
import type { BoardRow } from './board-row.ts'
import type { RowGroup } from './row-group.ts'
import type { RowCorrection } from './row-measures.ts'
import { successRate } from './success-rate.ts'

/** A row before its corrections and registrations are known. */
export type BareGroup = Omit<RowGroup, 'registration' | 'corrected'>

/** Returns whether a correction of the ledger touches one of these episodes. */
export function touchesAny(facts: readonly EpisodeFact[], ledger: LedgerState): boolean {
  const { removed, invalidated, rescored, resolvedFindings } = ledger
  if (removed.size + invalidated.size + rescored.size + resolvedFindings.size === 0) return false
  const onEpisodes = [invalidated, rescored, resolvedFindings]
  return facts.some(
    ({ runId, episodeId }) =>
      removed.has(runId) || onEpisodes.some((targets) => targets.has(episodeId)),
  )
}

/** Finds the corrections of a row: removed runs, and episodes that were invalidated, rescored or cleared. */
export function findCorrected(
  row: BareGroup,
  before: readonly BareGroup[],
  ledger: LedgerState,
): RowGroup['corrected'] {
  const ids = new Set([row.rowId, ...row.aliases])
  const whole = before.find(({ rowId, aliases }) => [rowId, ...aliases].some((id) => ids.has(id)))
  if (!whole) return null
  const corrections = new Map<number, RowCorrection>()
  const add = (kind: RowCorrection['kind'], target: string, found: Correction | undefined) => {
    if (!found) return
    const { sequence } = found
    const path = `/ledger?${new URLSearchParams({ target })}#entry-${sequence}`
    corrections.set(sequence, { sequence, kind, target, path })
  }
  for (const { runId, episodeId } of whole.members) {
    add('remove', runId, ledger.removed.get(runId))
    add('invalidate', episodeId, ledger.invalidated.get(episodeId))
    add('rescore', episodeId, ledger.rescored.get(episodeId))
    add('resolve-findings', episodeId, ledger.resolvedFindings.get(episodeId))
  }
  if (corrections.size === 0) return null
  const { counted, tallies, runs } = whole
  return {
    corrections: [...corrections.values()].sort((a, b) => a.sequence - b.sequence),
    counted,
    tallies,
    removed: runs.filter(({ runId }) => ledger.removed.has(runId)),
  }
}

/** Maximum corrections listed in a row; the ledger has all of them. */
const MAX_CORRECTIONS = 20

/** The corrections of a row as the board shows them; undefined = none. */
export function correctionsOf(corrected: RowGroup['corrected']): BoardRow['corrections'] {
  if (corrected === null) return undefined
  const { corrections, tallies, counted } = corrected
  return {
    entries: corrections.slice(0, MAX_CORRECTIONS),
    count: corrections.length,
    without: {
      rate: successRate(tallies).rate,
      attempts: counted.filter(({ status }) => isScored(status)).length,
    },
  }
}
