import type { ResultRow } from '../board/index.ts'
import { canonicalJson } from '../digest/index.ts'

export type MatchedRows = { baseline: ResultRow; candidate: ResultRow }

type Matched = {
  pairs: MatchedRows[]
  onlyBaseline: ResultRow[]
  onlyCandidate: ResultRow[]
}

/** Keys that make two rows counterparts, strictest first; a version or a definition may have changed between them. */
const KEYS: readonly ((one: ResultRow) => string)[] = [
  ({ row }) => row.rowId,
  ({ row: { suiteId, subject, settings } }) =>
    canonicalJson([suiteId, subject.name, subject.modelRequested, settings]),
  ({ row: { suiteId, subject } }) => canonicalJson([suiteId, subject.name, subject.modelRequested]),
  ({ row: { suiteId, subject } }) => canonicalJson([suiteId, subject.name]),
  ({ row: { suiteId } }) => suiteId,
  () => '',
]

/**
 * Pairs every candidate with its counterpart among the baselines: of the same name and model, or the only one left. A
 * side with one row is compared with every row of the other. A key that several rows share is not used.
 */
export function matchRows(
  baselines: readonly ResultRow[],
  candidates: readonly ResultRow[],
): Matched {
  const [onlyBaseline, onlyCandidate] = [[...baselines], [...candidates]]
  const [baseline, candidate] = [baselines[0], candidates[0]]
  if (baseline && baselines.length === 1 && candidate)
    return {
      pairs: candidates.map((one) => ({ baseline, candidate: one })),
      onlyBaseline: [],
      onlyCandidate: [],
    }
  if (candidate && candidates.length === 1 && baseline)
    return {
      pairs: baselines.map((one) => ({ baseline: one, candidate })),
      onlyBaseline: [],
      onlyCandidate: [],
    }
  const pairs: MatchedRows[] = []
  for (const keyOf of KEYS)
    for (const one of [...onlyCandidate]) {
      const key = keyOf(one)
      const own = onlyCandidate.filter((other) => keyOf(other) === key)
      const theirs = onlyBaseline.filter((other) => keyOf(other) === key)
      const [counterpart] = theirs
      if (own.length !== 1 || theirs.length !== 1 || !counterpart) continue
      pairs.push({ baseline: counterpart, candidate: one })
      onlyCandidate.splice(onlyCandidate.indexOf(one), 1)
      onlyBaseline.splice(onlyBaseline.indexOf(counterpart), 1)
    }
  return { pairs, onlyBaseline, onlyCandidate }
}
