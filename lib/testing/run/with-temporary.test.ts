import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withTemporary } from './with-temporary.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('is there for every user while the work goes on, and gone afterwards', async () => {
  const folder = await withTemporary(async (given) => {
    expect(statSync(given).mode & 0o1777).toBe(0o1777)
    mkdirSync(join(given, 'left', 'behind'), { recursive: true })
    return given
  }, root)
  expect(existsSync(folder)).toBe(false)
  await expect(withTemporary(() => Promise.reject(new Error('red')), root)).rejects.toThrow('red')
  expect(readdirSync(root)).toEqual([])
})

it('removes those of runs that were killed, and no other', async () => {
  const gone = spawnSync(process.execPath, ['--version']).pid
  const named = (pid: number) => `pb~${pid.toString(36)}~abcdef`
  const kept = ['mine', named(process.pid), 'pb~notes', 'pbackup-folder']
  for (const name of [...kept, named(gone)]) mkdirSync(join(root, name))
  await withTemporary(async () => {}, root)
  expect(readdirSync(root).sort()).toEqual(kept.sort())
})

it('is gone after a signal that ends the process in the middle of the work', () => {
  const code = `
    import { withTemporary } from ${JSON.stringify(new URL('./with-temporary.mjs', import.meta.url).href)}
    process.once('SIGTERM', () => process.exit(143))
    await withTemporary(async () => {
      process.kill(process.pid, 'SIGTERM')
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    }, ${JSON.stringify(root)})`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code])
  expect([status, readdirSync(root)]).toEqual([143, []])
})
