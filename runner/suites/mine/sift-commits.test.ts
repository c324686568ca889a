import { expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { PreparedBase } from '../../repository/prepare-base.ts'
import { type ChangedFile, type Commit, TEST_GLOBS } from './choose-candidate.ts'
import { fall } from './fall-reasons.ts'
import { Setups } from './setups.ts'
import { siftCommits } from './sift-commits.ts'

const SIEVE = {
  tests: TEST_GLOBS,
  isSteering: (path: string) => path === 'package.json',
  hasSetup: true,
  takesMerges: true,
  mostFiles: 30,
  mostLines: 1000,
}

function commit(message: string, lines: Record<string, number>, parents = ['p']): Commit {
  const files = Object.entries(lines).map(([path, count]): [string, ChangedFile] => {
    const [before, after] = [
      { mode: '100644', id: 'a' },
      { mode: '100644', id: 'b' },
    ] as const
    return [path, { path, before, after, lines: count }]
  })
  return {
    id: digestBytes(message).slice(7, 47),
    parents,
    date: '',
    message,
    files: new Map(files),
  }
}

const tests = { 'test/a.test.js': 5 }

it('tries the most promising candidates first, and of equals the newest', () => {
  const [docs, large, fix, feature] = [
    commit('docs: the parser is described', { ...tests, 'README.md': 5 }),
    commit('feat: parser of everything', { ...tests, 'src/a.js': 900 }),
    commit('fix: parser keeps quotes', { ...tests, 'src/a.js': 5 }),
    commit('feat: parser of numbers', { ...tests, 'src/a.js': 5 }),
  ]
  const { work } = siftCommits([docs, large, fix, feature], { sieve: SIEVE, nameTests: false })
  expect(work.map((one) => one.commit)).toEqual([fix, feature, large, docs])
})

it('lets a much newer commit go first, whatever its doubts are', () => {
  const newest = commit('docs: the parser is described', { ...tests, 'README.md': 5 })
  const older = Array.from({ length: 100 }, (_, at) =>
    commit(`fix: parser keeps quotes of kind ${at}`, { ...tests, 'src/a.js': 5 }),
  )
  const { work } = siftCommits([newest, ...older], { sieve: SIEVE, nameTests: false })
  const at = work.findIndex((one) => one.commit === newest)
  expect(at).toBeGreaterThan(10)
  expect(at).toBeLessThan(100)
})

it('rejects an empty message at once, but not that of a merge, which its commits complete', () => {
  const files = { ...tests, 'src/a.js': 5 }
  const [empty, merge] = [commit('wip', files), commit("Merge branch 'x'", files, ['p', 'q'])]
  const { work, fallen } = siftCommits([empty, merge], { sieve: SIEVE, nameTests: false })
  expect(work.map((one) => one.commit)).toEqual([merge])
  expect(fallen.map((one) => one.fall.code)).toEqual(['message-empty'])
  expect(siftCommits([empty], { sieve: SIEVE, nameTests: true }).work).toHaveLength(1)
})

it('gives up packages that cannot be installed, or with which nothing passes three times', () => {
  const [one, other] = [digestBytes('one'), digestBytes('other')]
  const [a, b] = [commit('a', {}), commit('b', {})]
  const broken = new Setups()
  expect(broken.find(one)).toBeNull()
  broken.note(one, a, fall('setup-fails', 'no such version'))
  expect(broken.find(one)).toEqual(
    fall('setup-fails', `as for ${a.id.slice(0, 10)}, with the same packages`),
  )
  broken.note(other, b, fall('none-passes'))
  broken.note(other, b, fall('needs-network', 'ENOTFOUND'))
  broken.note(other, b, fall('not-red'))
  expect(broken.find(other)).toBeNull()
  broken.note(other, b, fall('none-passes'))
  expect(broken.find(other)?.code).toBe('none-passes')
  expect(broken.find(null)).toBeNull()
})

it('starts a set-up from what the last one with the same packages installed, and waits for it', async () => {
  const setups = new Setups()
  const base = (name: string): PreparedBase => {
    return { folder: name, entries: [], digest: digestBytes(name) }
  }
  const seeds: (string | null)[] = []
  const prepare = (name: string, key: string | null) =>
    setups.prepare(key === null ? null : digestBytes(key), async (seed) => {
      seeds.push(seed?.folder ?? null)
      if (name === 'fails') throw new Error('no such version')
      return base(name)
    })
  const all = ['a', 'fails', 'b'].map((name) => prepare(name, 'same').catch(() => null))
  await Promise.all([...all, prepare('c', 'other'), prepare('d', null)])
  expect(seeds.sort()).toEqual(['a', 'a', null, null, null].sort())
})

it('does not blame packages with which a task was made', () => {
  const [setup, a] = [digestBytes('one'), commit('a', {})]
  const broken = new Setups()
  broken.note(setup, a, null)
  for (const _ of [1, 2, 3]) broken.note(setup, a, fall('none-passes'))
  expect(broken.find(setup)).toBeNull()
})
