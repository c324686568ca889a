import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { listProcesses } from '#runner/sandbox/process/list-processes.ts'
import { episodesIn } from '../factories/chromium.ts'
import { startProofboard } from '../factories/proofboard-command.ts'

/** Writes a program that prints a version as Chromium does and otherwise runs `does`. */
export function writeBrowser(root: string, does: string): string {
  const path = join(root, 'chromium')
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 140.0.1.2" && exit\n${does}\n`,
  )
  chmodSync(path, 0o755)
  return path
}

/**
 * Expects that a run with this Chromium ends with excluded attempts that give the reason, and leaves nothing behind.
 */
export async function expectVoid(
  root: string,
  { name, does, words }: { name: string; does: string; words: string },
): Promise<void> {
  const [out, temporary] = [join(root, 'out'), join(root, 't')]
  mkdirSync(temporary)
  const run = `run_sick${name}`
  const { code } = await startProofboard(
    join(root, 'data'),
    [
      ...['run', '--suite', 'browser', '--subject', 'cdp', '--tasks', 'shop-sort-wishes'],
      ...['--run-id', run, '--out', out],
    ],
    { PROOFBOARD_CHROMIUM: writeBrowser(root, does), TMPDIR: temporary },
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
}
