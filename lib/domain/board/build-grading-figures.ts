import { canonicalJson } from '../canonical-json.ts'
import { isScored } from '../outcome.ts'
import type { EpisodeFact } from './episode-fact.ts'
import type { Grading } from './grading-fact.ts'
import type { GradingFigures } from './grading-figures.ts'

type Member = Pick<EpisodeFact, 'taskId' | 'status' | 'grading'>

/** Both results over counted episodes; undefined where nothing that is scored was graded by tests. */
export function buildGradingFigures(counted: readonly Member[]): GradingFigures | undefined {
  const scored = counted.filter(({ status }) => isScored(status))
  const gradings = scored.flatMap(({ grading }) => grading ?? [])
  if (gradings.length === 0) return undefined
  const heldOutTasks = new Set(
    scored.flatMap(({ taskId, grading }) => ((grading?.heldOut ?? null) === null ? [] : taskId)),
  )
  return {
    scored: scored.length,
    visiblePassed: gradings.filter(({ visible }) => visible).length,
    heldOutScored: scored.filter(({ taskId }) => heldOutTasks.has(taskId)).length,
    heldOutPassed:
      heldOutTasks.size === 0 ? null : gradings.filter(({ heldOut }) => heldOut).length,
    tasks: new Set(scored.map(({ taskId }) => taskId)).size,
    heldOutTasks: heldOutTasks.size,
    verifiers: countVerifiers(gradings),
  }
}

const UNKNOWN = { sandbox: null, network: null, digest: null }

/** Each verifier once, in an order that does not depend on the episodes'. */
function countVerifiers(gradings: readonly Grading[]): GradingFigures['verifiers'] {
  const counts = new Map<string, GradingFigures['verifiers'][number]>()
  for (const { verifier } of gradings) {
    const key = canonicalJson(verifier)
    const known = counts.get(key)
    if (known) known.episodes++
    else counts.set(key, { ...(verifier ?? UNKNOWN), episodes: 1 })
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, verifier]) => verifier)
}
