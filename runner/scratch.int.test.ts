import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { makeScratch } from './scratch.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-scratch-test-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const DAY_MS = 86_400_000

it('removes what killed commands of any kind left, once it is a day old, and nothing else', async () => {
  vi.stubEnv('TMPDIR', root)
  const make = (names: readonly string[], ageMs: number) => {
    const at = new Date(Date.now() - ageMs)
    for (const name of names) {
      mkdirSync(join(root, name, 'home'), { recursive: true })
      utimesSync(join(root, name), at, at)
    }
  }
  const fresh = ['proofboard-probe-aaaaaa', 'pb-cheat-bbbbbb']
  const others = ['proofboard-probe', 'proofboard-probe-mine', 'proofboard-cccccc', 'notes']
  make(['proofboard-probe-dddddd', 'proofboard-submit-eeeeee', 'pb-check-ffffff'], 2 * DAY_MS)
  make(fresh, DAY_MS / 2)
  make(others, 2 * DAY_MS)
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    make(['proofboard-probe-gggggg'], 2 * DAY_MS)
    chownSync(join(root, 'proofboard-probe-gggggg'), 65_534, 65_534)
  }
  const made = basename(await makeScratch('proofboard-probe'))
  const kept = [...fresh, ...others, made, ...(isRoot ? ['proofboard-probe-gggggg'] : [])]
  expect(readdirSync(root).sort()).toEqual(kept.sort())
})
