import { digestJson } from '#lib/domain/digest/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { ReferenceCheck } from '../engine/reference-checks.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { judgeTests, type RepositoryEvaluation } from './judge-work.ts'
import type { PreparedBase } from './prepare-base.ts'
import { resolveSolution } from './resolve-solution.ts'
import type { VerifySettings } from './run-command.ts'

/** Returns the check of a repository task's own reference; null = the task has none. */
export function referenceCheck(
  loaded: LoadedRepository,
  base: PreparedBase,
  settings: VerifySettings,
): ReferenceCheck | null {
  const { reference, task } = loaded
  if (reference === null) return null
  // A passed check is reused by later runs.
  const key = digestJson([task.digest, base.digest, settings.isolation.level])
  const judge = async () => {
    const changes = resolveSolution(reference, base.folder)
    return describeFailure(await judgeTests(loaded, base, changes, settings))
  }
  return { taskId: task.taskId, key, judge }
}

/** Names the first failed test, or how the verify command ended; null = all passed. */
function describeFailure({ contract, findings }: RepositoryEvaluation): string | null {
  if (findings[0] !== undefined) return findings[0].detail
  const failed = contract.assertions.filter(({ verdict }) => verdict === 'fail')
  const tests = failed.flatMap(({ kind, children }) => (kind === 'tests' ? children : []))
  const lost = tests.filter(({ verdict }) => verdict === 'fail')
  const [first] = lost
  if (first !== undefined)
    return `${lost.length} of ${countOf(tests.length, 'test')} did not pass, first ${first.label}: ${first.observed}`
  const [other] = failed
  return other === undefined ? null : `${other.label}: ${other.observed}`
}
