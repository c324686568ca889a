import type { Plan } from '../plan.ts'
import { digestSuite, PROTOCOL_VERSION, type Suite } from '../suite.ts'
import type { Exercise } from '../task.ts'

/**
 * A suite as far as frozen plans tell it: names, digests and categories, no texts. Null = the plans do not have all of
 * its tasks, so that nobody could tell whether a row covers the suite.
 */
export function suiteFromPlans(plans: readonly Plan[]): Suite | null {
  const [first] = plans
  if (!first) return null
  const planned = new Map(plans.flatMap(({ tasks }) => tasks.map((task) => [task.taskId, task])))
  const tasks = [...planned.values()].map(({ taskId, digest, category }) => ({
    ...UNKNOWN_TASK,
    taskId,
    digest,
    category,
    title: taskId,
  }))
  const { suiteId, suiteDigest } = first
  // Plans that were frozen under an earlier protocol stand for a suite of that protocol.
  const protocolVersion = KNOWN_PROTOCOLS.find((one) => digestSuite(tasks, one) === suiteDigest)
  if (protocolVersion === undefined) return null
  return { ...UNKNOWN_SUITE, suiteId, protocolVersion, title: suiteId, digest: suiteDigest, tasks }
}

const KNOWN_PROTOCOLS = Array.from({ length: PROTOCOL_VERSION }, (_, index) => index + 1)

const UNKNOWN_TASK: Omit<Exercise, 'taskId' | 'digest' | 'category' | 'title'> = {
  difficulty: 'unknown',
  files: { solution: [], test: [], example: [], support: [], instructions: [] },
  expectedTests: [],
  runTests: true,
  typeTests: false,
  compilerOptions: {},
  packageType: 'module',
  verifyTimeoutMs: 1,
}

const UNKNOWN_SUITE = {
  kind: 'exercise' as const,
  // Plans do not tell which kinds the suite measures, so none is refused.
  subjectKinds: ['agent' as const, 'library' as const, 'control' as const],
  description: '',
  version: 'unknown',
  source: null,
}
