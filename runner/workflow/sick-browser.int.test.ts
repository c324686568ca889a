import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectVoid, writeBrowser } from '#lib/testing/cases/sick-browser.ts'
import { episodesIn } from '#lib/testing/factories/chromium.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync('/tmp/pb-') // short, because a profile is three folders below it
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('a Chromium that dies at its start makes void attempts, and nothing is left', async () => {
  const does = 'echo no display here >&2; exit 3'
  await expectVoid(root, { name: 'dies', does, words: 'no display here' })
})

it('a temporary folder with too long a path is told as that', async () => {
  const [out, temporary] = [join(root, 'out'), join(root, 'long'.repeat(12))]
  mkdirSync(temporary)
  await startProofboard(
    join(root, 'data'),
    [
      ...['run', '--suite', 'browser', '--subject', 'cdp', '--tasks', 'shop-sort-wishes'],
      ...['--out', out],
    ],
    { PROOFBOARD_CHROMIUM: writeBrowser(root, 'exit 1'), TMPDIR: temporary },
  ).ended
  expect(episodesIn(out)[0]?.outcome).toMatchObject({
    status: 'void',
    fault: 'infrastructure',
    reason: expect.stringMatching(/longer path than Chromium can use .*: set TMPDIR to a shorter/),
  })
})
