import { findAlterable } from '../repository/alter-tests.ts'
import type { Change } from '../repository/overlay.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import { isRewarded } from './judge-harbor.ts'
import type { HarborPlace } from './place.ts'
import type { ChangedTests } from './proof-store.ts'

const VERSIONS = 2
/** A changed text may be no value, and a draw may hit no test. */
const MOST_DRAWS = 5

/** Whether there is anything in the tests of a task that can be changed. */
export function canAlter({ tests }: Pick<LoadedHarbor, 'tests'>): boolean {
  return findAlterable(tests).count > 0
}

/** Changes of the tests for which the reference's work is not rewarded, drawn; fewer, or none, where there are no such. */
export async function drawAltered(
  { tests }: Pick<LoadedHarbor, 'tests'>,
  place: Pick<HarborPlace, 'verify'>,
  reference: TakenWork,
): Promise<ChangedTests[]> {
  const { draw } = findAlterable(tests)
  const found: ChangedTests[] = []
  const drawn: Change[][] = []
  for (
    let left = canAlter({ tests }) ? MOST_DRAWS : 0;
    left > 0 && found.length < VERSIONS;
    left--
  ) {
    if (drawn.length === 0) drawn.push(...draw(VERSIONS))
    const changed = drawn.pop() ?? []
    const isOther = changed.some((one, at) => one !== tests[at])
    if (isOther && !isRewarded(await place.verify(reference, changed)))
      found.push(filesThatDiffer(tests, changed))
  }
  return found
}

function filesThatDiffer(tests: readonly Change[], changed: readonly Change[]): ChangedTests {
  return changed.flatMap((one, at) =>
    one === tests[at] ? [] : [{ path: one.path, text: one.bytes?.toString('utf8') ?? '' }],
  )
}
