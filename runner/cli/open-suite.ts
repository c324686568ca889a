import { join } from 'node:path'
import { type JudgedRow, judgeResults, type Result } from '#lib/domain/board/index.ts'
import type { Digest, Provenance } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { isRunnerError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { findSuiteLocation } from '../suites/find-suite.ts'
import { type LoadedSuite, loadSuite } from '../suites/load-suite.ts'
import { readOwnSuites } from '../suites/own-suites.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { createVerifier } from '../verify/exercise/create-verifier.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'

/** A verifier that is started on first use and always closed at the end. */
export class LazyVerifier {
  #gate: ExerciseVerifier | null = null

  get = (): ExerciseVerifier => {
    this.#gate ??= createVerifier()
    return this.#gate
  }

  close = async (): Promise<void> => {
    await this.#gate?.close()
    this.#gate = null
  }
}

/** Loads the suite that a person named, by id or by path. */
export async function openSuite(
  nameOrPath: string,
  gate: LazyVerifier,
): Promise<LoadedSuite & { folder: string }> {
  const place = findSuiteLocation(nameOrPath, dataFolder(RUNNER_ENV))
  return { ...(await loadSuite(place, gate.get)), folder: place.folder }
}

/** The default folder of a run; of a private suite one that no board reads. */
export function defaultOut(runId: string, suiteId: string): string {
  const data = dataFolder(RUNNER_ENV)
  const own = readOwnSuites(data).find((one) => one.suiteId === suiteId)
  return join(data, own?.visibility === 'private' ? 'private-runs' : 'runs', runId)
}

/** The headline gate's answer with the suites that are at hand here in the very versions that the results name. */
export async function decideLocalEligibility(
  results: readonly Result[],
  provenance: Provenance,
): Promise<JudgedRow[]> {
  const gate = new LazyVerifier()
  try {
    const suiteIds = results.flatMap(({ episodes }) => episodes.map(({ suiteId }) => suiteId))
    const findSuite = await findLocalSuites(suiteIds, gate)
    return judgeResults(results, { provenance, findSuite })
  } finally {
    await gate.close()
  }
}

/** Reads the suites that these results name and answers which of them are here in that very version. */
async function findLocalSuites(
  suiteIds: readonly string[],
  gate: LazyVerifier,
): Promise<(suiteId: string, digest: Digest) => Suite | null> {
  const here = new Map<string, Suite>()
  for (const suiteId of new Set(suiteIds)) {
    try {
      here.set(suiteId, (await openSuite(suiteId, gate)).suite)
    } catch (error) {
      // Not here, or not whole: the results are judged by what they say themselves.
      if (!isRunnerError(error, 'suite')) throw error
    }
  }
  return (suiteId, digest) => {
    const suite = here.get(suiteId)
    return suite?.digest === digest ? suite : null
  }
}
