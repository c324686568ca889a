import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageState } from './resolve-environment.ts'

const CLEAN = { commit: 'abc', dirty: false }
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-state-'))
  mkdirSync(join(root, 'dist', 'runner'), { recursive: true })
  mkdirSync(join(root, 'node_modules', 'preact'), { recursive: true })
  writeFileSync(join(root, 'node_modules', 'preact', 'a.js'), 'installed')
  writeFileSync(join(root, 'dist', 'runner', 'main.mjs'), 'one')
  const digest = createHash('sha256').update('one').digest('hex')
  writeFileSync(
    join(root, 'dist', 'files.json'),
    JSON.stringify({ 'dist/runner/main.mjs': digest }),
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the state of an installed package', () => {
  it('is the commit that it was packed from, as clean as it was then', async () => {
    expect(await packageState(root, CLEAN)).toEqual(CLEAN)
    expect(await packageState(root, { ...CLEAN, dirty: true })).toEqual({ ...CLEAN, dirty: true })
    expect(await packageState(root, { commit: null, dirty: null })).toEqual({
      commit: null,
      dirty: null,
    })
  })

  it('is dirty once a file was changed, added or removed', async () => {
    const dirty = { ...CLEAN, dirty: true }
    writeFileSync(join(root, 'dist', 'more.mjs'), '')
    expect(await packageState(root, CLEAN)).toEqual(dirty)
    rmSync(join(root, 'dist', 'more.mjs'))
    writeFileSync(join(root, 'dist', 'runner', 'main.mjs'), 'two')
    expect(await packageState(root, CLEAN)).toEqual(dirty)
    rmSync(join(root, 'dist', 'runner', 'main.mjs'))
    expect(await packageState(root, CLEAN)).toEqual(dirty)
    rmSync(join(root, 'dist', 'files.json'))
    expect(await packageState(root, CLEAN)).toEqual(dirty)
  })
})
