import { firstFailure } from '../engine/describe-attempt.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { judgeTests } from './judge-work.ts'
import type { PreparedBase } from './prepare-base.ts'
import { resolveSolution } from './resolve-solution.ts'
import type { VerifySettings } from './run-command.ts'

const TRIES = 2

/**
 * Runs the tests of a task on its own reference, here and now. Returns why no work can be judged by them: they depend on
 * something that changed since the proof, such as the date, a certificate or a toolchain. Null = they pass, or there is
 * no reference. A reference that fails is tried once more.
 */
export async function checkReference(
  task: LoadedRepository,
  base: PreparedBase,
  settings: VerifySettings,
): Promise<string | null> {
  if (task.reference === null) return null
  const changes = resolveSolution(task.reference, base.folder)
  let failure = ''
  for (let made = 0; made < TRIES; made++) {
    const { contract, findings } = await judgeTests(task, base, changes, settings)
    if (contract.verdict === 'pass' && findings.length === 0) return null
    failure = findings[0]?.detail ?? firstFailure(contract)
  }
  return `the task cannot be judged today, since its own reference fails: ${failure}`
}

/** Checks each task once and remembers the result. */
export class ReferenceChecks {
  readonly #known = new Map<string, Promise<string | null>>()

  of(...asked: Parameters<typeof checkReference>): Promise<string | null> {
    const { taskId } = asked[0].task
    const check = this.#known.get(taskId) ?? checkReference(...asked)
    this.#known.set(taskId, check)
    // A failure of this machine says nothing of the task.
    check.catch(() => this.#known.delete(taskId))
    return check
  }
}
