import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { closeDataFolder } from './close-data-folder.ts'

let root: string
let before: number
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  before = process.umask()
})
afterEach(() => {
  process.umask(before)
  rmSync(root, { recursive: true, force: true })
})
const modeOf = (...names: string[]) => (statSync(join(root, ...names)).mode & 0o777).toString(8)

it('makes a folder that only its owner may enter, and keeps what is written later to its owner', () => {
  closeDataFolder(join(root, 'data'))
  writeFileSync(join(root, 'data', 'proofboard.db'), '')
  mkdirSync(join(root, 'data', 'runs'))
  expect(['', 'proofboard.db', 'runs'].map((name) => modeOf('data', name))).toEqual([
    '700',
    '600',
    '700',
  ])
})

it('closes what an earlier version left open, also deep below, and leaves programs and links alone', () => {
  process.umask(0o022)
  for (const path of ['data/runs/run_1/episodes', 'data/agents/bin'])
    mkdirSync(join(root, path), { recursive: true })
  for (const path of ['outside', 'data/proofboard.db-wal', 'data/runs/run_1/episodes/subject.log'])
    writeFileSync(join(root, path), '')
  writeFileSync(join(root, 'data/agents/bin/agent'), '', { mode: 0o755 })
  symlinkSync(join(root, 'outside'), join(root, 'data', 'runs', 'link'))
  chmodSync(join(root, 'data'), 0o700)
  closeDataFolder(join(root, 'data'))
  expect([
    modeOf('data'),
    modeOf('data', 'proofboard.db-wal'),
    modeOf('data', 'runs', 'run_1', 'episodes'),
    modeOf('data', 'runs', 'run_1', 'episodes', 'subject.log'),
    modeOf('data', 'agents', 'bin', 'agent'),
    modeOf('outside'),
  ]).toEqual(['700', '600', '700', '600', '755', '644'])
})

it('says in a sentence where the folder cannot be made', () => {
  writeFileSync(join(root, 'file'), '')
  expect(() => closeDataFolder(join(root, 'file', 'data'))).toThrow(
    /^the data folder \S+ cannot be used: \S+file is not a folder\. Set PROOFBOARD_DATA_DIR/,
  )
})
