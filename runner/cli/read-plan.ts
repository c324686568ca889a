import { digestPlan, type FrozenPlan, frozenPlanSchema } from '#lib/domain/plan.ts'
import { formatIssues, problemLines } from '#lib/domain/problem.ts'
import type { LoadedSuite } from '../suites/load-suite.ts'
import { UsageError } from './cli-error.ts'
import { readTextFile } from './read-text-file.ts'

/** A frozen plan from a file; an edited one is refused, because then nothing was frozen. */
export function readPlan(path: string): FrozenPlan {
  const parsed = frozenPlanSchema.safeParse(readJsonFile(path))
  if (!parsed.success) {
    throw new UsageError(
      `${path} is not a plan: ${problemLines(formatIssues(parsed.error.issues), 3).join('; ')}`,
    )
  }
  if (digestPlan(parsed.data) !== parsed.data.planDigest) {
    throw new UsageError(
      `${path} was edited after it was frozen: make a new plan with "proofboard plan"`,
    )
  }
  return parsed.data
}

/** JSON from a file the caller named, or one line about why not. */
export function readJsonFile(path: string): unknown {
  const text = readTextFile(path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${(error as Error).message}`)
  }
}

/** A plan can be run only on the very tasks it was frozen for. */
export function checkPlanFits(plan: FrozenPlan, { suite }: LoadedSuite): void {
  if (plan.suiteDigest === suite.digest) return
  const digests = new Map(suite.tasks.map((task) => [task.taskId, task.digest]))
  const changed = plan.tasks
    .filter((task) => digests.get(task.taskId) !== task.digest)
    .map((task) => task.taskId)
  const named =
    changed.length > 0
      ? `these tasks changed: ${changed.slice(0, 10).join(', ')}`
      : 'tasks outside the plan changed'
  throw new UsageError(
    `the plan was frozen for another version of suite ${suite.suiteId} (${named}): freeze a new plan`,
  )
}
