import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSuite } from './load-suite.ts'

const CONFIG = {
  files: { solution: ['sum.ts'], test: ['sum.test.ts'], example: ['.meta/reference.ts'] },
}
const SUITE = {
  suiteId: 'mine',
  kind: 'exercise',
  title: 'Mine',
  description: '',
  version: '1',
}

let root: string

function plant(path: string, content: unknown): void {
  const target = join(root, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content))
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  plant('suite.json', SUITE)
  plant('sum/.docs/instructions.md', '# Sum')
  plant('sum/sum.ts', '')
  plant('sum/sum.test.ts', '')
  plant('sum/.meta/reference.ts', '')
  plant('sum/.meta/config.json', CONFIG)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const load = () =>
  loadSuite({ suiteId: 'mine', folder: root, origin: 'imported' }, () => {
    throw new Error('the verifier must not be called')
  })

describe('a malformed suite is refused with file, field and reason', () => {
  it.each([
    ['sum/.meta/config.json', '{ "files": ', 'sum/.meta/config.json: is not valid JSON (line 1'],
    [
      'sum/.meta/config.json',
      { files: { ...CONFIG.files, solution: [] } },
      'sum/.meta/config.json: files.solution: name at least one solution file',
    ],
    [
      'sum/.meta/config.json',
      { files: { ...CONFIG.files, solution: ['../../etc/passwd'] } },
      'files.solution.0: expected a relative path that stays inside its folder',
    ],
    [
      'sum/.meta/config.json',
      { files: { ...CONFIG.files, test: ['other.test.ts'] } },
      'files names other.test.ts, which does not exist',
    ],
    [
      'sum/.meta/config.json',
      { ...CONFIG, custom: { proofboard: { difficulty: 'brutal' } } },
      'custom.proofboard.difficulty',
    ],
    ['sum/tsconfig.json', '{ "compilerOptions": ', 'sum/tsconfig.json: is not valid JSON'],
    [
      'suite.json',
      { ...SUITE, kind: 'exercises' },
      '/suite.json: unknown kind "exercises": did you mean exercise?',
    ],
    [
      'suite.json',
      { ...SUITE, suiteId: 'Not A Slug' },
      'suite.json: suiteId: expected at most 80 lower-case',
    ],
    [
      'suite.json',
      { ...SUITE, thresholds: { aggregateEpisodes: 9 } },
      "thresholds.aggregateEpisodes: is looser than the policy's 10: a suite may only be stricter",
    ],
    ['suite.json', { ...SUITE, thresholds: { voidShare: 0.06 } }, 'may only be stricter'],
    ['suite.json', { ...SUITE, thresholds: { voidShares: 0 } }, 'thresholds'],
  ])('%s %j', async (path, content, words) => {
    plant(path, content)
    await expect(load()).rejects.toThrow(words)
  })

  it('names a missing part by its path', async () => {
    rmSync(join(root, 'sum', '.docs', 'instructions.md'))
    await expect(load()).rejects.toThrow('sum/.docs/instructions.md: is missing')
  })

  it('loads nothing of a suite when one task is broken', async () => {
    plant('other/.meta/config.json', '{}')
    await expect(load()).rejects.toThrow('other/.meta/config.json: files')
  })
})
