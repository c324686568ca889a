import { randomInt } from 'node:crypto'
import { findAlterable } from '../repository/alter-tests.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import { passedIn } from './draw-versions.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import { isRewarded } from './judge-harbor.ts'
import type { HarborPlace, VerifierRun } from './place.ts'
import type { AlteredTest } from './proof-store.ts'

/** Limit of tests that are altered one by one. */
const MAX_TESTS = 31
/** Limit of tests that are tried if the verifier reports no names. */
const MAX_TRIES = 5

/**
 * Finds tests that fail the reference once they are altered, with the names under which the verifier reports them.
 * `before` = names that pass without any work, which do not count. If a verifier reports no names there is at most one
 * such test, because a run has only one reward.
 */
export async function findAltered(
  { tests }: Pick<LoadedHarbor, 'tests'>,
  place: Pick<HarborPlace, 'verify'>,
  { reference, before }: { reference: TakenWork; before: readonly string[] },
): Promise<AlteredTest[]> {
  const alterable = findAlterable(tests)
  if (alterable.tests.length === 0) return []
  const known = passedIn(await place.verify(reference))
  const all = alterable.tests
    .slice(0, MAX_TESTS)
    .map(({ path, at }, index) => ({ path, at, index }))
  const names = known.filter((name) => !before.includes(name))
  const verify = async (chosen: readonly number[]) =>
    place.verify(reference, alterable.spoil(new Set(chosen)))
  if (names.length > 0) {
    const named = await findNamed(all, names, verify)
    if (named.length > 0) return named
  }
  for (let left = Math.min(MAX_TRIES, all.length); left > 0; left--) {
    const [one] = all.splice(randomInt(all.length), 1)
    if (one && !isRewarded(await verify([one.index])))
      return [{ path: one.path, at: one.at, names: [] }]
  }
  return []
}

type Candidate = { path: string; at: number; index: number }

/** Alters a different half of the tests in each run: the runs in which a name fails identify its test. */
async function findNamed(
  all: readonly Candidate[],
  names: readonly string[],
  verify: (chosen: readonly number[]) => Promise<VerifierRun>,
): Promise<AlteredTest[]> {
  const codes = new Map(names.map((name) => [name, 0]))
  for (let bit = 0; 2 ** bit <= all.length; bit++) {
    const chosen = all.filter((_, at) => ((at + 1) >> bit) % 2 === 1).map(({ index }) => index)
    const run = await verify(chosen)
    const passed = new Set(passedIn(run))
    const failed = names.filter((name) => !passed.has(name))
    // The verifier's reward does not depend on its report.
    if (failed.length > 0 && isRewarded(run)) return []
    for (const name of failed) codes.set(name, (codes.get(name) ?? 0) + 2 ** bit)
  }
  return all.flatMap(({ path, at }, index) => {
    const own = names.filter((name) => codes.get(name) === index + 1)
    return own.length === 0 ? [] : [{ path, at, names: own }]
  })
}
