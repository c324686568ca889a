import { existsSync, readFileSync } from 'node:fs'
import { type Plan, planSchema } from '#lib/domain/plan.ts'
import { readSealed } from './read-sealed.ts'
import { RunFolder } from './run-folder.ts'

/** The run that a folder already holds, or null; its id is known from its result or its sealed episodes. */
export function existingRun(out: string): { plan: Plan; runId: string | null } | null {
  const folder = new RunFolder(out)
  if (!existsSync(folder.planPath)) return null
  const parsed = planSchema.safeParse(JSON.parse(readFileSync(folder.planPath, 'utf8')))
  if (!parsed.success) return null
  return { plan: parsed.data, runId: readSealed(folder)[0]?.runId ?? null }
}
