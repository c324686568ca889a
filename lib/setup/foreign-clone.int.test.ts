import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestClone, type TestClone } from '#lib/testing/chaos/test-clone.ts'
import { findBinary } from '#runner/subjects/agents/find-binary.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Characters with another meaning in a URL. */
const ODD = 'a #b?c%20d é'
const LIST = ['suite', 'list', '--json']

let clone: TestClone
const at = (...names: string[]) => join(clone.root, ...names)
beforeAll(() => {
  clone = createTestClone(ODD)
})
afterEach(() => setMode(0o755, '.', 'exercises', 'node_modules'))
afterAll(() => clone.remove())

function setMode(mode: number, ...folders: string[]): void {
  for (const folder of folders) chmodSync(at(folder), mode)
}

const listed = (stdout: string) =>
  (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { suites: { suiteId: string }[] }).suites
    .map(({ suiteId }) => suiteId)
    .sort()
const SUITES = ['browser', 'repository', 'typescript']

/** The folders of PATH without npm, so that nothing can be installed. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((one) => findBinary('npm', one) === null)
  .join(delimiter)

describe('a clone in an odd path', () => {
  it('runs its command line', async () => {
    const { code, stdout, stderr } = await clone.run(LIST)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(listed(stdout)).toEqual(expect.arrayContaining(SUITES))
  })

  it('starts its servers', () => {
    const server = at('server.mjs')
    writeFileSync(server, 'console.log("started")')
    const module = pathToFileURL(at('lib', 'setup', 'serve', 'start-child.mjs')).href
    const code = `const { startChild } = await import(${JSON.stringify(module)})
      const child = startChild([${JSON.stringify(server)}], { onLine: console.log })
      console.log(await child.ended)`
    const data = execFileSync(process.execPath, ['--input-type=module', '-e', code])
    expect(data.toString()).toBe('started\n{ code: 0, signal: null }\n')
  })
})

describe('a clone of another user', () => {
  it('keeps its programs in HOME', { tags: 'root' }, async () => {
    setMode(0o555, 'node_modules', '.')
    const { code, stdout, stderr } = await clone.runAsOther(LIST)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(listed(stdout)).toEqual(expect.arrayContaining(SUITES))
    const cache = join(clone.otherHome, '.cache', 'proofboard')
    const [folder = ''] = readdirSync(cache)
    expect(readdirSync(join(cache, folder)).sort()).toEqual(['bundles', 'node_modules'])
  })

  it('says in one sentence that no folder is left for them', { tags: 'root' }, async () => {
    setMode(0o555, 'node_modules', '.')
    const { code, stderr } = await clone.runAsOther(LIST, { XDG_CACHE_HOME: '/proc/none' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^no program can be bundled: \/proc .* Set XDG_CACHE_HOME [^\n]*\n$/)
  })

  it('says in one sentence how suites that a run as root has closed are opened', async () => {
    setMode(process.getuid?.() === 0 ? 0o700 : 0, 'exercises')
    const { code, stderr } = await clone.runAsOther(LIST)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^the suites cannot be read: [^\n]* have root run `chmod -R [^\n]*\n$/)
  })
})

describe('the packages of a clone', () => {
  const stamp = () => at('node_modules', '.proofboard-install')
  const folder = () => at('node_modules', 'execa')
  const aside = () => at('execa')
  beforeAll(async () => {
    await clone.run(LIST)
    expect(existsSync(stamp())).toBe(true)
  })

  it('are missed in one sentence when one lost its files', async () => {
    renameSync(folder(), aside())
    mkdirSync(folder())
    const { code, stderr } = await clone.run(LIST, { PATH })
    rmSync(folder(), { recursive: true })
    renameSync(aside(), folder())
    const lines = stderr.trim().split('\n')
    expect(lines.map((line) => line.trim())).toEqual([
      'installing packages again that are incomplete: node_modules/execa',
      'spawn npm ENOENT',
      '`npm install --no-save --include=dev` failed (exit 127). npm was not found: install it, or put it into PATH.',
    ])
    expect(code).toBe(1)
  })

  it('are missed in one sentence where this user cannot install them', {
    tags: 'root',
  }, async () => {
    renameSync(folder(), aside())
    setMode(0o555, 'node_modules', '.')
    const { code, stderr } = await clone.runAsOther(LIST)
    setMode(0o755, 'node_modules', '.')
    renameSync(aside(), folder())
    expect(stderr).toMatch(
      /^the set-up cannot be completed: [^\n]*Run `npm start` as its owner once, or use a clone of your own\n$/,
    )
    expect(code).toBe(1)
  })

  it('may have been installed by another package manager', async () => {
    for (const path of [at('node_modules', '.package-lock.json'), stamp()]) rmSync(path)
    const { code, stderr } = await clone.run(LIST, { PATH })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(existsSync(stamp())).toBe(true)
  })
})
