import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hunt, huntingGround, NOTHING, reasonOf } from '#lib/testing/cases/hunt.ts'
import type { TestClone } from '#lib/testing/chaos/test-clone.ts'

let clone: TestClone

// For other users, and without a sandbox, see out-of-reach.long.test.ts.
describe('as root', { tags: ['root', 'bubblewrap'] }, () => {
  beforeAll(() => {
    clone = huntingGround()
  })
  afterAll(() => clone?.remove())

  it('bubblewrap shows an agent nothing', { tags: 'night' }, async () => {
    const { found, episodes, stdout } = await hunt(clone, 'bubblewrap', 'run_rootbwrap')
    expect(found).toEqual([NOTHING, NOTHING])
    expect(episodes[0]?.environment.subjectUser).toBeUndefined()
    expect(reasonOf(stdout)).toBe('none')
  })
})
