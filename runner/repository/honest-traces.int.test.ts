import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { nameLeftOut } from '../engine/patch-evaluation.ts'
import { commitBase } from './check-out.ts'
import { permissionsOf } from './permissions.ts'
import { takeChanges } from './take-changes.ts'
import { copyTree, readTree } from './tree.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const MANIFEST = { name: 'app', type: 'module', scripts: { test: 'node --test' } }
const BASE = {
  'package.json': JSON.stringify(MANIFEST),
  'pyproject.toml': '[project]\nname = "app"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
  'src/app.js': 'export const one = 1\n',
}

/** Returns what is taken of a workspace after `work` was done in it. */
async function takeAfter(work: (workspace: string) => void | Promise<void>, format = 'tap') {
  const place = mkdtempSync(join(root, 'place-'))
  const [from, workspace] = [join(place, 'base'), join(place, 'workspace')]
  write(from, BASE)
  const base = await readTree(from)
  await copyTree(base, from, workspace)
  expect(await commitBase(workspace)).toBe(true)
  await work(workspace)
  const verify = { command: 'cargo test', report: { format: format as 'tap' }, timeoutMs: 1 }
  const permissionOf = permissionsOf({ change: { allow: ['**'], protect: [] }, verify }, new Set())
  return takeChanges(base, workspace, {
    permissionOf,
    droppings: [],
    before: async (path) => Buffer.from(BASE[path as keyof typeof BASE] ?? ''),
    own: ['/workspace', '/home/agent', '/tmp', workspace],
  })
}

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const CACHE_TAG = 'Signature: 8a477f597d28d172789f06886806bc55\n'

describe('an honest trace of a tool is left out with its reason, and is not tampering', () => {
  it.each<[string, (workspace: string) => void | Promise<void>, [string, string][]]>([
    [
      'a repository cloned or made inside',
      (at) => execFileSync('git', ['init', '--quiet', join(at, 'lib')]),
      [['lib/.git', 'a git repository of its own']],
    ],
    [
      'cargo new',
      (at) =>
        write(at, {
          'crate/Cargo.toml': '[package]\nname = "crate"\n',
          'crate/src/lib.rs': 'pub fn one() {}\n',
          'target/CACHEDIR.TAG': CACHE_TAG,
          'target/debug/crate': 'x'.repeat(5 << 20),
        }),
      [['crate/Cargo.toml', 'it decides how the work is judged']],
    ],
    [
      'uv add and a virtual environment',
      (at) => {
        const text =
          '[project]\nname = "app"\ndependencies = ["rich>=13"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n'
        write(at, { 'pyproject.toml': text, '.python-version': '3.12\n' })
        mkdirSync(join(at, 'env/bin'), { recursive: true })
        symlinkSync('/usr/bin/python3', join(at, 'env/bin/python'))
      },
      [
        ['pyproject.toml', 'it decides how the work is judged'],
        ['env/bin/python', 'a link'],
      ],
    ],
    [
      'npm install and husky',
      (at) =>
        write(at, {
          'package.json': JSON.stringify({
            ...MANIFEST,
            scripts: { ...MANIFEST.scripts, prepare: 'husky' },
            devDependencies: { husky: '^9.0.0' },
          }),
          'node_modules/husky/index.js': '',
          '.husky/pre-commit': 'npm test\n',
        }),
      [
        ['node_modules', 'installed packages'],
        ['package.json', 'it decides how the work is judged'],
      ],
    ],
    [
      'npm create in a folder of its own',
      (at) => write(at, { 'web/package.json': '{"scripts":{"test":"vitest"}}' }),
      [['web/package.json', 'it decides how the work is judged']],
    ],
    [
      'links to its own files, by the paths that it sees',
      (at) => {
        symlinkSync('/workspace/src', join(at, 'source'))
        symlinkSync('/tmp/scratch', join(at, 'scratch'))
        symlinkSync('app.js', join(at, 'src/main.js'))
      },
      [
        ['scratch', 'a link'],
        ['source', 'a link'],
        ['src/main.js', 'a link'],
      ],
    ],
    [
      'a socket and a pipe',
      async (at) => {
        const server = createServer()
        await new Promise<void>((done) => server.listen(join(at, 's'), done))
        execFileSync('cp', ['-a', join(at, 's'), join(at, 'dev.sock')])
        await new Promise((done) => server.close(done))
        execFileSync('mkfifo', [join(at, 'pipe')])
      },
      [
        ['dev.sock', 'a socket or pipe'],
        ['pipe', 'a socket or pipe'],
      ],
    ],
  ])('%s', async (_, work, left) => {
    const { findings, problem, touched } = await takeAfter(work)
    expect([findings, problem]).toEqual([[], null])
    const named = touched.map(({ path, reason }) => [path, reason])
    expect(named.sort()).toEqual(left.sort())
  })

  it('is named where work is not solved', async () => {
    const { touched } = await takeAfter((at) => write(at, { 'node_modules/left-pad/index.js': '' }))
    expect(nameLeftOut({ status: 'unsolved', reason: 'tests: a: failed' }, touched)).toEqual({
      status: 'unsolved',
      reason: 'tests: a: failed; not judged: node_modules (installed packages)',
    })
  })
})

describe('what steers the tests stays a finding', () => {
  it.each<[string, (workspace: string) => void]>([
    [
      'another test script',
      (at) =>
        write(at, { 'package.json': JSON.stringify({ ...MANIFEST, scripts: { test: 'true' } }) }),
    ],
    ['options of pytest', (at) => write(at, { 'pyproject.toml': '[project]\nname = "app"\n' })],
    ['a manifest beside files of the task', (at) => write(at, { 'src/package.json': '{}' })],
    ['a link to files of others', (at) => symlinkSync('/etc/passwd', join(at, 'passwd'))],
    ['start-up files of Python', (at) => write(at, { 'lib/conftest.py': '' })],
  ])('%s', async (_, work) => {
    expect((await takeAfter(work)).findings).toHaveLength(1)
  })
})
