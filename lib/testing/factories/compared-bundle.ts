import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { BUNDLE_KIND, type Bundle } from '#lib/domain/record/index.ts'
import { digestSuite, type Suite } from '#lib/domain/tasks/index.ts'
import { sampleEpisode, samplePlan, sampleSuite } from './samples.ts'

const TASKS = 12
const REPETITIONS = 3

/** A complete, sealed result of twelve tasks of a made-up suite, `solves` of three repetitions each. */
export function comparedBundle(
  name: string,
  runId: string,
  solves: (task: number) => number,
): Bundle {
  const suite = comparedSuite()
  const plan = samplePlan({
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    subject: { ...samplePlan().subject, name },
    tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    repetitions: REPETITIONS,
  })
  const episodes = plan.tasks.flatMap(({ taskId, digest }, task) =>
    Array.from({ length: REPETITIONS }, (_, index) =>
      sampleEpisode(
        {
          runId,
          taskId,
          taskDigest: digest,
          repetition: index + 1,
          ...(index < solves(task) ? {} : FAILED),
        },
        plan,
      ),
    ),
  )
  const lock = episodes[0]?.environment ?? sampleEpisode().environment
  const shard = { index: 1, count: 1 }
  return { kind: BUNDLE_KIND, schemaVersion: 1, runId, plan, lock, shard, episodes }
}

const FAILED = {
  contract: null,
  agentSuccess: true,
  testSuccess: false,
  overallSuccess: false,
  outcome: { status: 'out-of-budget', budget: 'time', reason: 'the time limit' },
  failureCategory: 'budget',
} as const

/** The suite of those bundles. */
export function comparedSuite(): Suite {
  const [sample] = sampleSuite().tasks
  if (!sample) throw new Error('the sample suite has no task')
  const tasks = Array.from({ length: TASKS }, (_, index) => {
    const taskId = `task-${String(index + 1).padStart(2, '0')}`
    return { ...sample, taskId, title: taskId, digest: digestBytes(taskId) }
  })
  return { ...sampleSuite(), suiteId: 'compared', tasks, digest: digestSuite(tasks) }
}

/** Writes a bundle as the result of a run's folder. */
export function writeResult(folder: string, bundle: Bundle): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'result.json'), JSON.stringify(bundle))
  return folder
}
