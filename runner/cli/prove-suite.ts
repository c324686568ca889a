import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { type LoadedSuite, selectTasks } from '../suites/load-suite.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { proveHarbor } from '../suites/verify/prove-harbor.ts'
import { proveRepositories } from '../suites/verify/prove-repository.ts'
import { type SuiteProof, verifySuite } from '../suites/verify/verify-suite.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import { verifyWorkflows } from '../workflow/verify-workflows.ts'
import type { LazyVerifier } from './open-suite.ts'
import { withJudging } from './with-judging.ts'

type How = {
  concurrency: number
  /** Number of consecutive runs in which a repository task's reference must be solved. */
  runs: number
  wrong?: number
  leastWrong: number
  onTask: (taskId: string, results: readonly CandidateResult[]) => void
}

/** Proves the tasks of a suite of any kind. */
export async function proveSuite(
  suite: LoadedSuite,
  verifier: LazyVerifier,
  names: readonly string[] | null,
  how: How,
): Promise<SuiteProof> {
  switch (suite.kind) {
    case 'browser': {
      const mostWrong = how.wrong ?? null
      return verifyWorkflows(suite, selectTasks(suite.tasks, names), { ...how, mostWrong })
    }
    case 'repository':
      return withJudging((settings) =>
        proveRepositories(selectTasks(suite.tasks, names), { ...how, ...settings }),
      )
    case 'harbor':
      return withJudging((settings) =>
        proveHarbor(selectTasks(suite.tasks, names), {
          ...how,
          ...settings,
          data: dataFolder(RUNNER_ENV),
        }),
      )
    case 'exercise':
      return verifySuite(selectTasks(suite.tasks, names), verifier.get(), how)
  }
}
