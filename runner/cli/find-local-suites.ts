import type { Digest } from '#lib/domain/digest.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { SuiteError } from '../suites/suite-error.ts'
import { type LazyGate, openSuite } from './open-suite.ts'

/** Reads the suites that these results name and answers which of them are here in that very version. */
export async function findLocalSuites(
  suiteIds: readonly string[],
  gate: LazyGate,
): Promise<(suiteId: string, digest: Digest) => Suite | null> {
  const here = new Map<string, Suite>()
  for (const suiteId of new Set(suiteIds)) {
    try {
      here.set(suiteId, (await openSuite(suiteId, gate)).suite)
    } catch (error) {
      // Not here, or not whole: the results are judged by what they say themselves.
      if (!(error instanceof SuiteError)) throw error
    }
  }
  return (suiteId, digest) => {
    const suite = here.get(suiteId)
    return suite?.digest === digest ? suite : null
  }
}
