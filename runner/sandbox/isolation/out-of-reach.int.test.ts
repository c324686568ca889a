import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atNight } from '#lib/testing/cases/at-night.ts'
import { attemptAt, hunt, huntingGround, NOTHING, reasonOf } from '#lib/testing/cases/hunt.ts'
import type { TestClone } from '#lib/testing/chaos/test-clone.ts'
import { bubblewrap } from './bubblewrap.ts'

const isRoot = process.getuid?.() === 0
const noSandbox = await bubblewrap.available()

let clone: TestClone
beforeAll(() => {
  clone = huntingGround()
})
afterAll(() => clone?.remove())

describe.skipIf(!isRoot)(
  `as root${isRoot ? '' : ': SKIPPED, the tests do not run as root'}`,
  () => {
    // By day `testIsolation` shows it of a program that bubblewrap.ts starts.
    describe.skipIf(noSandbox !== null)('bubblewrap', () => {
      atNight.it(
        'shows an agent nothing',
        async () => {
          const { found, episodes, stdout } = await hunt(clone, 'bubblewrap', 'run_rootbwrap')
          expect(found).toEqual([NOTHING, NOTHING])
          expect(episodes[0]?.environment.subjectUser).toBeUndefined()
          expect(reasonOf(stdout)).toBe('none')
        },
        120_000,
      )
    })

    it('local gives it a user of its own, who finds nothing either, and the row is refused', async () => {
      const { found, episodes, stdout, stderr } = await hunt(clone, 'local', 'run_rootlocal0')
      expect(found).toEqual([NOTHING, NOTHING])
      expect(episodes[0]?.environment).toMatchObject({ isolation: 'local', subjectUser: 'own' })
      expect(reasonOf(stdout)).toContain('as a separate user')
      expect(stderr).toContain('closed to other users of this machine')
      expect(statSync(join(clone.root, 'exercises')).mode & 0o077).toBe(0)
    }, 120_000)

    atNight.it(
      'local refuses a program that the lent user cannot start, in one sentence',
      async () => {
        const program = join(clone.data, 'agent.sh')
        writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
        const { code, stderr } = await clone.run(attemptAt('local', program))
        expect(code).toBe(2)
        expect(stderr.trim().split('\n').at(-1)).toMatch(/agent\.sh cannot be started by the user/)
      },
    )
  },
)
