import type { ReportedPlan } from '../plan.ts'
import { REPORTED_PROTOCOL_VERSION, type Suite } from '../suite.ts'

/** A title on a page: longer names are cut. */
const LONGEST_TITLE = 200

/** The set of tasks behind a reported plan, as far as anybody told it: names and digests, no texts. */
export function reportedSuite(plan: ReportedPlan): Suite {
  const { suiteId, suiteDigest, dataset } = plan
  const name = dataset.version === null ? dataset.name : `${dataset.name} ${dataset.version}`
  return {
    suiteId,
    kind: 'reported',
    title: name.slice(0, LONGEST_TITLE),
    description:
      'Measured by another program: its tasks are known here by their names, from its results, and nothing of it can be run here.',
    version: (dataset.version ?? 'unknown').slice(0, 40) || 'unknown',
    protocolVersion: REPORTED_PROTOCOL_VERSION,
    source: null,
    digest: suiteDigest,
    tasks: plan.tasks.map(({ taskId, digest, category, title }) => ({
      kind: 'reported' as const,
      taskId,
      digest,
      title,
      category,
      difficulty: 'unknown',
      files: { solution: [], test: [], example: [], support: [], instructions: [] },
      expectedTests: [],
      runTests: true,
      typeTests: false,
      compilerOptions: {},
      packageType: 'module',
      verifyTimeoutMs: 1,
    })),
  }
}
