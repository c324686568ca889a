import { digestBytes } from '#lib/domain/digest.ts'
import { digestSuite, PROTOCOL_VERSION, type Suite } from '#lib/domain/suite.ts'
import { sampleTests } from './sample-episode.ts'

/** A suite of two tasks named like those of `samplePlan()`; `version` tells its digest from another's. */
export function sampleSuite(version = '1.0.0'): Suite {
  const tasks = ['alpha', 'beta'].map((taskId) => ({
    taskId,
    digest: digestBytes(`${taskId} ${version}`),
    title: `Task ${taskId}`,
    category: 'text',
    difficulty: 'easy' as const,
    files: {
      solution: [`${taskId}.ts`],
      test: [`${taskId}.test.ts`],
      example: ['.meta/reference.ts'],
      support: [],
      instructions: ['.docs/instructions.md'],
    },
    expectedTests: sampleTests(taskId),
    runTests: true,
    typeTests: false,
    compilerOptions: { strict: true },
    packageType: 'module' as const,
    verifyTimeoutMs: 10_000,
  }))
  return {
    suiteId: 'sample',
    kind: 'exercise',
    title: 'Sample',
    description: 'Two tasks.',
    version,
    protocolVersion: PROTOCOL_VERSION,
    source: null,
    digest: digestSuite(tasks),
    tasks,
  }
}
