import { randomInt } from 'node:crypto'
import { findAlterable } from '../repository/alter-tests.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import { passedIn } from './draw-versions.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import { isRewarded } from './judge-harbor.ts'
import type { HarborPlace, VerifierRun } from './place.ts'
import type { AlteredTest } from './proof-store.ts'

/** Tests of a task that are looked at one by one. */
const MAX_TESTS = 31
/** Tests that are tried where the verifier reports none by name. */
const MAX_TRIES = 5

/**
 * Tests which, once changed, keep the reference's work from being rewarded, with the names under which the verifier reports
 * them. `before` = names that pass without any work, which do not count. A verifier that reports no names
 * has at most one such test, because a run has only one reward.
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

/** Changes half of the tests in each run, another half each time: the runs in which a name fails say which test it is. */
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
    // Its report does not decide its reward.
    if (failed.length > 0 && isRewarded(run)) return []
    for (const name of failed) codes.set(name, (codes.get(name) ?? 0) + 2 ** bit)
  }
  return all.flatMap(({ path, at }, index) => {
    const own = names.filter((name) => codes.get(name) === index + 1)
    return own.length === 0 ? [] : [{ path, at, names: own }]
  })
}
