import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSuite } from '../../kinds/load-suite.ts'
import { createVerifier } from '../../verify/exercise/create-verifier.ts'
import type { ExerciseVerifier } from '../../verify/exercise/verifier-types.ts'
import { fetchTrack } from './fetch-track.ts'
import { type ImportReport, importTrack } from './import-track.ts'

const TSCONFIG = `{
  // settings of the track
  "compilerOptions": { "lib": ["ES2020", "dom"], "module": "Node16", "target": "ES2020", "strict": true, "esModuleInterop": true,
    "skipLibCheck": true, "allowImportingTsExtensions": true, "noEmit": true, "isolatedModules": true, },
}`

/** Writes one exercise of a fictitious track; every part can be broken like the real one. */
function exercise(
  track: string,
  slug: string,
  parts: { tests: string; proof: string; stub?: string; config?: string },
): void {
  const folder = join(track, 'exercises', 'practice', slug)
  const files = {
    solution: [`${slug}.ts`],
    test: [`${slug}.test.ts`],
    example: ['.meta/proof.ci.ts'],
  }
  const content: Record<string, string> = {
    '.docs/instructions.md': `# ${slug}`,
    [`${slug}.ts`]:
      parts.stub ??
      "export function solve(n: number): number { throw new Error('Remove this line') }\n",
    [`${slug}.test.ts`]: `import { describe, it, expect, xit, xdescribe } from '@jest/globals'\nimport { solve } from './${slug}.ts'\n${parts.tests}`,
    '.meta/proof.ci.ts': parts.proof,
    '.meta/config.json': parts.config ?? JSON.stringify({ authors: [], files }),
    'package.json': '{"type":"module"}',
    'tsconfig.json': TSCONFIG,
  }
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const DOUBLE = 'export function solve(n: number): number { return n * 2 }\n'
const TESTS =
  "it('one', () => { expect(solve(1)).toEqual(2) })\nxit('two', () => { expect(solve(2)).toEqual(4) })\nxdescribe('more', () => { it('three', () => { expect(solve(3)).toEqual(6) }) })\n"

let root: string
let track: string
let verifier: ExerciseVerifier

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  track = join(root, 'track')
  verifier = createVerifier()
  exercise(track, 'sound', { tests: TESTS, proof: DOUBLE })
  exercise(track, 'left-skipped', {
    tests: `${TESTS}it.skip('never', () => { expect(1).toBe(2) })\n`,
    proof: DOUBLE,
  })
  exercise(track, 'bad-json', {
    tests: TESTS,
    proof: DOUBLE,
    config:
      '{ "authors": [] "files": { "solution": ["bad-json.ts"], "test": ["bad-json.test.ts"], "example": [".meta/proof.ci.ts"] } }',
  })
  exercise(track, 'untyped-tests', {
    tests: `describe('d', () => {\n  let found\n  it('one', () => { found = solve(1); expect(found).toEqual(2) })\n  xit('two', () => { expect(solve(2)).toEqual(4); expect(found).toBeDefined() })\n})\n`,
    proof: DOUBLE,
  })
  exercise(track, 'hidden-method', {
    tests:
      "it('one', () => { expect(new (solve(1))().moves()).toEqual(2) })\nxit('two', () => { expect(new (solve(2))().moves()).toEqual(4) })\n",
    proof:
      'export const solve = (n: number) => class { private moves(): number { return n * 2 } }\n',
  })
  exercise(track, 'weak', {
    tests: "it('exists', () => { expect(typeof solve).toBe('function') })\n",
    proof: DOUBLE,
  })
  const asks = (answer: string) => ({
    tests: `it('one', () => { expect(solve()).${answer} })\n`,
    stub: "export function solve(): unknown { throw new Error('Remove this line') }\n",
  })
  exercise(track, 'one-answer', {
    ...asks("toEqual('Hello, World!')"),
    proof: "export function solve(): string { return 'Hello, World!' }\n",
  })
  exercise(track, 'weak-one-answer', {
    ...asks('toBeGreaterThan(0)'),
    proof: 'export function solve(): number { return 4 }\n',
  })
  exercise(track, 'weak-one-input', {
    tests: "it('one', () => { expect(solve(1)).toEqual(2) })\n",
    proof: DOUBLE,
  })
  exercise(track, 'weak-later-tests', {
    tests:
      "it('one', () => { expect(solve(1)).toEqual(2) })\nxit('two', () => { expect(1 + 1).toEqual(2) })\n",
    proof: DOUBLE,
  })
  const early = (second: string) => `describe('d', () => {
  const [one, two] = [solve(1), solve(2)]
  it('one', () => { expect(one).toEqual(2) })
  xit('two', () => { expect(two).${second} })
})\n`
  exercise(track, 'early-work', { tests: early('toEqual(4)'), proof: DOUBLE })
  exercise(track, 'weak-early-work', { tests: early('toBeGreaterThan(0)'), proof: DOUBLE })
  exercise(track, 'broken-proof', {
    tests: TESTS,
    proof: 'export function solve(n: number): number { return n + 1 }\n',
  })
  mkdirSync(join(track, 'exercises', 'practice', 'no-config', '.meta'), { recursive: true })
})
afterAll(async () => {
  await verifier.close()
  rmSync(root, { recursive: true, force: true })
})

async function importAll(patched: boolean, suiteId: string): Promise<ImportReport> {
  const source = await fetchTrack(track, null)
  return importTrack(source, join(root, 'suites'), verifier, {
    suiteId,
    selection: 'all',
    patched,
    concurrency: 2,
    onTask: () => {},
  })
}

describe('import of a track', () => {
  it('admits what is proven, and lists the rest with the reason', async () => {
    const { admitted, rejected } = await importAll(false, 'plain')
    expect(admitted).toEqual(['early-work', 'left-skipped', 'one-answer', 'sound'])
    const reasons = Object.fromEntries(rejected.map(({ taskId, reason }) => [taskId, reason]))
    expect(reasons['bad-json']).toContain('not valid JSON')
    expect(reasons['untyped-tests']).toContain('TS7034')
    expect(reasons['hidden-method']).toContain('TS2341')
    expect(reasons.weak).toContain('nop should not be solved')
    const weak = ['weak-one-answer', 'weak-one-input', 'weak-later-tests', 'weak-early-work']
    for (const taskId of weak)
      expect([taskId, reasons[taskId]]).toEqual([
        taskId,
        expect.stringContaining('first-test-only should not be solved'),
      ])
    expect(reasons['broken-proof']).toContain('test "two"')
    expect(reasons['no-config']).toContain('.meta/config.json: is missing')
  })

  it('switches skipped tests on and leaves it.skip off', async () => {
    const { tasks } = await loadSuite(
      { suiteId: 'plain', folder: join(root, 'suites', 'plain'), origin: 'imported' },
      () => verifier,
    )
    expect(tasks.map(({ task }) => 'expectedTests' in task && task.expectedTests)).toEqual([
      ['d > one', 'd > two'],
      ['one', 'two', 'more > three'],
      ['one'],
      ['one', 'two', 'more > three'],
    ])
  })

  it('admits more with --patched, and says what was repaired', async () => {
    const { admitted, patched, rejected } = await importAll(true, 'patched')
    expect(admitted).toEqual([
      'bad-json',
      'early-work',
      'hidden-method',
      'left-skipped',
      'one-answer',
      'sound',
      'untyped-tests',
    ])
    expect(patched.map(({ taskId }) => taskId)).toEqual([
      'bad-json',
      'early-work',
      'hidden-method',
      'one-answer',
      'untyped-tests',
    ])
    expect(patched.find(({ taskId }) => taskId === 'early-work')?.did).toEqual([
      expect.stringContaining('cheat/exits-behind-a-timer'),
    ])
    expect(rejected.map(({ taskId }) => taskId)).toEqual([
      'broken-proof',
      'no-config',
      'weak',
      'weak-early-work',
      'weak-later-tests',
      'weak-one-answer',
      'weak-one-input',
    ])
    const config = JSON.parse(
      readFileSync(join(root, 'suites/patched/one-answer/.meta/config.json'), 'utf8'),
    )
    expect(config.custom.proofboard.importNotes).toEqual([
      expect.stringContaining('first-test-only control not applicable'),
    ])
    expect(
      readFileSync(
        join(root, 'suites', 'patched', 'untyped-tests', 'untyped-tests.test.ts'),
        'utf8',
      ),
    ).toContain('let found: any')
  })

  it('loads again to the same digest, without the track', async () => {
    const place = {
      suiteId: 'patched',
      folder: join(root, 'suites', 'patched'),
      origin: 'imported' as const,
    }
    const never = () => {
      throw new Error('loading a locked suite must not need the verifier')
    }
    const first = await loadSuite(place, never)
    expect((await loadSuite(place, never)).suite.digest).toBe(first.suite.digest)
  })

  it('reads a commit of a repository, not what lies in the working tree', async () => {
    const run = (...args: string[]) =>
      execFileSync('git', [
        '-C',
        track,
        '-c',
        'user.name=t',
        '-c',
        'user.email=t@example.org',
        ...args,
      ])
    run('init', '-q')
    run('add', '-A')
    run('commit', '-q', '-m', 'track')
    const commit = run('rev-parse', 'HEAD').toString().trim()
    writeFileSync(join(track, 'exercises', 'practice', 'sound', 'sound.test.ts'), 'changed later')
    const source = await fetchTrack(track, commit)
    expect(source.ref).toBe(commit)
    expect(
      readFileSync(join(source.folder, 'exercises', 'practice', 'sound', 'sound.test.ts'), 'utf8'),
    ).toContain('solve(1)')
    await source.release()
    expect(existsSync(source.folder)).toBe(false)
  })

  it('takes a folder without history as it stands, and never claims a commit for it', async () => {
    const plain = join(root, 'plain-copy')
    mkdirSync(plain)
    expect((await fetchTrack(plain, null)).ref).toBe('no history')
    expect((await fetchTrack(plain, 'abc123')).ref).toBe('abc123 (not verified)')
    expect((await fetchTrack(join(track, 'exercises'), null)).ref).toBe('no history')
    await expect(fetchTrack(track, '--upload-pack=x')).rejects.toThrow('--ref must be a commit')
  })

  it('says in one line what is wrong with a source', async () => {
    await expect(fetchTrack(track, 'no-such-ref')).rejects.toThrow('cannot get no-such-ref')
    await expect(fetchTrack(join(root, 'nowhere'), null)).rejects.toThrow('cannot get HEAD')
    await expect(
      importTrack(
        { folder: root, url: root, ref: 'x', release: async () => {} },
        join(root, 'suites'),
        verifier,
        { suiteId: 'x', selection: null, patched: false, concurrency: 1, onTask: () => {} },
      ),
    ).rejects.toThrow('contains no exercises')
  })
})
