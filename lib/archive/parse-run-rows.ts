import { planColumns } from '#lib/db/plan-store.ts'
import type { Kept, Row } from '#lib/db/read-kept.ts'
import { parseShard } from '#lib/db/run-store.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import type { Shard } from '#lib/domain/expand-plan.ts'
import { type Plan, planSchema } from '#lib/domain/plan.ts'
import { compareColumns, type Flaws, readJsonColumn } from './compare-columns.ts'

export type ParsedRun = { runId: string; plan: Plan; shard: Shard | null; provenance: string }

/** Every run with its plan as their rows hold them. */
export function parseRunRows({ runs, plans }: Pick<Kept, 'runs' | 'plans'>): Flaws & {
  runs: ParsedRun[]
} {
  const flaws: Flaw[] = []
  const columnFlaws: Flaw[] = []
  const planOf = new Map<unknown, Plan>()
  for (const row of plans) {
    const place = `plan ${row.planDigest}`
    const plan = planSchema.safeParse(readJsonColumn(row.document))
    if (!plan.success) flaws.push({ place, problem: 'cannot be read' })
    else {
      planOf.set(row.planDigest, plan.data)
      columnFlaws.push(...compareColumns(place, row, planColumns(plan.data)))
    }
  }
  const parsed = runs.flatMap((row): ParsedRun | [] => {
    const place = `run ${row.runId}`
    const plan = planOf.get(row.planDigest)
    const shard = readShard(row)
    if (!plan || shard === undefined) {
      flaws.push({ place, problem: plan ? 'its column shard was changed' : 'its plan is not here' })
      return []
    }
    columnFlaws.push(...compareColumns(place, row, { suiteId: plan.suiteId }))
    return { runId: String(row.runId), plan, shard, provenance: String(row.provenance) }
  })
  return { runs: parsed, flaws, columnFlaws }
}

function readShard({ shard }: Row): Shard | null | undefined {
  try {
    return parseShard(shard === null ? null : String(shard))
  } catch {
    return undefined
  }
}
