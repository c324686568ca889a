import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { episodesIn } from '#lib/testing/factories/chromium.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { listProcesses } from '../sandbox/process/list-processes.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pb-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A program that says a version as Chromium does and then does something else. */
function writeBrowser(does: string): string {
  const path = join(root, 'chromium')
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 140.0.1.2" && exit\n${does}\n`,
  )
  chmodSync(path, 0o755)
  return path
}

it.each([
  ['dies', 'echo no display here >&2; exit 3', 'no display here'],
  ['hangs', 'exec sleep 300', 'opened no debugging port within 20 s'],
])(
  'a Chromium that %s at its start makes void attempts, and nothing is left',
  async (name, does, words) => {
    const [out, temporary] = [join(root, 'out'), join(root, 't')]
    mkdirSync(temporary)
    const run = `run_sick${name}`
    const { code } = await startProofboard(
      join(root, 'data'),
      [
        ...['run', '--suite', 'browser', '--subject', 'cdp', '--tasks', 'shop-sort-wishes'],
        ...['--run-id', run, '--out', out],
      ],
      { PROOFBOARD_CHROMIUM: writeBrowser(does), TMPDIR: temporary },
    ).ended
    expect(code).toBe(1)
    const outcomes = episodesIn(out).map(({ outcome }) => outcome)
    expect(outcomes).toHaveLength(3)
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        status: 'void',
        fault: 'infrastructure',
        reason: expect.stringContaining(words),
      })
    const left = listProcesses().filter((one) => one.environment.includes(`PROOFBOARD_RUN=${run}`))
    expect([left, readdirSync(temporary)]).toEqual([[], []])
  },
  150_000,
)

it('a temporary folder with too long a path is told as that', async () => {
  const [out, temporary] = [join(root, 'out'), join(root, 'long'.repeat(12))]
  mkdirSync(temporary)
  await startProofboard(
    join(root, 'data'),
    [
      ...['run', '--suite', 'browser', '--subject', 'cdp', '--tasks', 'shop-sort-wishes'],
      ...['--out', out],
    ],
    { PROOFBOARD_CHROMIUM: writeBrowser('exit 1'), TMPDIR: temporary },
  ).ended
  expect(episodesIn(out)[0]?.outcome).toMatchObject({
    status: 'void',
    fault: 'infrastructure',
    reason: expect.stringMatching(/longer path than Chromium can use .*: set TMPDIR to a shorter/),
  })
})
