import { afterAll, beforeAll, describe, expect } from 'vitest'
import { atNight } from '#lib/testing/cases/at-night.ts'
import { hunt, huntingGround, NOTHING, reasonOf } from '#lib/testing/cases/hunt.ts'
import type { TestClone } from '#lib/testing/chaos/test-clone.ts'
import { bubblewrap } from './bubblewrap.ts'

const isRoot = process.getuid?.() === 0
const noSandbox = await bubblewrap.available()
if (!isRoot) process.stderr.write('SKIPPED, a hunt for secrets: the tests do not run as root\n')

let clone: TestClone

// As any other user, and without a sandbox: out-of-reach.long.test.ts.
describe.runIf(isRoot && noSandbox === null)('as root', () => {
  beforeAll(() => {
    clone = huntingGround()
  })
  afterAll(() => clone?.remove())

  atNight.it(
    'bubblewrap shows an agent nothing',
    async () => {
      const { found, episodes, stdout } = await hunt(clone, 'bubblewrap', 'run_rootbwrap')
      expect(found).toEqual([NOTHING, NOTHING])
      expect(episodes[0]?.environment.subjectUser).toBeUndefined()
      expect(reasonOf(stdout)).toBe('none')
    },
    120_000,
  )
})
