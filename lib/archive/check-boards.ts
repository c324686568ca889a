import type { Row } from '#lib/db/read-kept.ts'
import type { Archive, Flaw } from '#lib/domain/archive/archive.ts'
import { rebuildBoard } from '#lib/domain/archive/rebuild-board.ts'
import { serializeBoard } from '#lib/domain/board/serialize-board.ts'
import { digestBytes } from '#lib/domain/digest.ts'
import { changesBoards } from '#lib/domain/ledger/ledger-action.ts'
import type { Suite } from '#lib/domain/suite.ts'

/** Whether every kept board is, byte for byte, what its artifacts give, and every suite with episodes has one. */
export function checkBoards(archive: Archive, boards: readonly Row[]): Flaw[] {
  const kept = new Map(boards.map((row) => [row.suiteDigest, row]))
  const known = new Set<unknown>(archive.suites.map(({ digest }) => digest))
  const strangers = boards.flatMap(({ suiteId, suiteDigest }) =>
    known.has(suiteDigest)
      ? []
      : [{ place: `board of ${suiteId}`, problem: `its suite version ${suiteDigest} is not here` }],
  )
  return [
    ...strangers,
    ...archive.suites.flatMap((suite) => checkBoard(archive, suite, kept.get(suite.digest))),
  ]
}

function checkBoard(archive: Archive, suite: Suite, row: Row | undefined): Flaw[] {
  const place = `board of ${suite.suiteId}`
  if (!row) {
    const hasEpisodes = archive.runs.some(
      ({ plan, episodes }) => plan.suiteDigest === suite.digest && episodes.length > 0,
    )
    const problem = `none is kept for version ${suite.digest}: the worker has not computed it yet`
    return hasEpisodes ? [{ place, problem }] : []
  }
  const text = serializeBoard(rebuildBoard(archive, suite))
  if (row.board !== text) {
    return [{ place, problem: describeDeviation(archive, suite, row) }]
  }
  return row.digest === digestBytes(text) && row.suiteId === suite.suiteId
    ? []
    : [{ place, problem: 'its digest or its suite was changed' }]
}

/** A board that the worker is about to compute anew deviates as well: it says so, and how one can tell. */
function describeDeviation({ entries }: Archive, { digest }: Suite, row: Row): string {
  const deviates = `the kept board of version ${digest} is not what its episodes and the ledger give`
  const last = (entries ?? []).findLast(({ action }) => changesBoards(action.kind))
  if (last && Number(row.ledgerSequence) < last.sequence)
    return `${deviates}: it does not obey entry ${last.sequence} yet, the worker computes it anew when it runs`
  return `${deviates}; while a run is under way ask again in a few seconds`
}
