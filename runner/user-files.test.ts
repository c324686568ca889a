import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isFile, isFolder, readText } from './user-files.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-files-'))
  writeFileSync(join(root, 'text'), 'é\r\n')
  writeFileSync(join(root, 'mark'), '\ufeffa')
  writeFileSync(join(root, 'latin'), Buffer.from([0x61, 0xe9]))
  writeFileSync(join(root, 'huge'), '')
  truncateSync(join(root, 'huge'), 600 << 20)
  symlinkSync('circle', join(root, 'circle'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it.each([
  ['text', 'é\r\n'],
  ['mark', '\ufeffa'],
])('reads %s as it is', (name, text) => {
  expect(readText(join(root, name))).toEqual({ ok: true, text })
})

it.each([
  ['.', 'it is a folder, not a file'],
  ['latin', 'it is not UTF-8 text'],
  ['huge', 'it is larger than 500 MB'],
  ['nowhere', 'ENOENT'],
  ['text/below', 'ENOTDIR'],
  ['circle', 'ELOOP'],
  ['n'.repeat(5000), 'ENAMETOOLONG'],
])('says why %s cannot be read', (name, problem) => {
  expect(readText(join(root, name))).toEqual({ ok: false, problem })
})

it('reads no device, which may never end', () => {
  expect(readText('/dev/zero')).toEqual({ ok: false, problem: 'it is a device, not a file' })
})

it.each(['nowhere', 'circle', 'n'.repeat(5000)])('has no file and no folder %s', (name) => {
  expect([isFile(join(root, name)), isFolder(join(root, name))]).toEqual([false, false])
})
