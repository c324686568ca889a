import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeAbandoned, removeTree } from './files.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pb-files-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('removes what a killed process left a day ago, and nothing that is worked on or is not its own', async () => {
  const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60_000)
  for (const name of ['.draft-old', '.draft-new', 'claude'])
    mkdirSync(join(root, name, 'inside'), { recursive: true })
  for (const name of ['.draft-old', 'claude']) utimesSync(join(root, name), twoDaysAgo, twoDaysAgo)
  await removeAbandoned(root, ['.draft-'])
  expect(readdirSync(root).sort()).toEqual(['.draft-new', 'claude'])
  await removeAbandoned(join(root, 'not-there'), ['.draft-'])
})

it('removes what a subject left deeper than a path can name, and in folders without permissions', async () => {
  const left = join(root, 'left')
  mkdirSync(left)
  const name = 'd'.repeat(200)
  const script = `for at in $(seq 30); do mkdir ${name} && cd -P ${name} || exit 1; done`
  execFileSync('/bin/sh', ['-c', script], { cwd: left })
  mkdirSync(join(left, 'locked', 'inside'), { recursive: true })
  chmodSync(join(left, 'locked'), 0)
  await removeTree(left)
  expect(existsSync(left)).toBe(false)
})
