import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stampWorkspace } from './watch-progress.ts'

let root: string
const at = (path: string) => join(root, 'work', path)
const stamp = (max?: number) =>
  stampWorkspace(join(root, 'work'), (path) => path.startsWith('.agent/') || path === 'log', max)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  mkdirSync(at('src/deep'), { recursive: true })
  writeFileSync(at('a.ts'), '1')
  writeFileSync(at('src/deep/b.ts'), '22')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the stamp of a workspace', () => {
  it.each<[string, () => void]>([
    ['a new file', () => writeFileSync(at('src/new.ts'), '')],
    ['a new folder', () => mkdirSync(at('empty'))],
    ['another size', () => writeFileSync(at('src/deep/b.ts'), '333')],
    ['another time', () => utimesSync(at('a.ts'), 5, 5)],
    ['a file less', () => rmSync(at('a.ts'))],
    ['another name', () => renameSync(at('a.ts'), at('c.ts'))],
    [
      'a link in the place of a file',
      () => {
        rmSync(at('a.ts'))
        symlinkSync('src/deep/b.ts', at('a.ts'))
      },
    ],
  ])('is another one after %s', async (_what, change) => {
    const before = await stamp()
    expect(before).not.toBeNull()
    change()
    expect(await stamp()).not.toBe(before)
  })

  it('stays where nothing changed but what is not work', async () => {
    const before = await stamp()
    for (const folder of ['.git', 'node_modules', 'src/node_modules', '.agent']) {
      mkdirSync(at(folder))
      writeFileSync(at(`${folder}/x`), 'x')
    }
    writeFileSync(at('log'), 'x')
    expect(await stamp()).toBe(before)
  })

  it('follows no link out of the workspace or round in it, and opens no pipe', async () => {
    mkdirSync(join(root, 'outside'))
    symlinkSync(join(root, 'outside'), at('out'))
    symlinkSync('.', at('round'))
    execFileSync('mkfifo', [at('pipe')])
    const before = await stamp()
    expect(before).not.toBeNull()
    writeFileSync(join(root, 'outside/x'), 'x')
    expect(await stamp()).toBe(before)
  })

  it('does not look at a workspace that became a link', async () => {
    renameSync(at(''), join(root, 'moved'))
    symlinkSync('moved', join(root, 'work'))
    const before = await stamp()
    writeFileSync(join(root, 'moved/a.ts'), 'another size')
    expect(await stamp()).toBe(before)
  })

  it('answers null beyond the limit of files or folders', async () => {
    for (let number = 0; number < 30; number++) writeFileSync(at(`src/f${number}`), '')
    expect(await stamp(20)).toBeNull()
    expect(await stamp(40)).not.toBeNull()
    mkdirSync(at('x/'.repeat(60)), { recursive: true })
    expect(await stamp(60)).toBeNull()
  })

  it('answers null for a folder that is closed to it', { tags: 'plain-user' }, async () => {
    chmodSync(at('src'), 0o000)
    expect(await stamp()).toBeNull()
    chmodSync(at('src'), 0o700)
  })

  it('stands for an empty place when the workspace is gone', async () => {
    const before = await stamp()
    rmSync(at(''), { recursive: true })
    expect(await stamp()).not.toBe(before)
  })
})
