import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GitHistory } from '#lib/testing/factories/git-history.ts'
import type { Commit } from './choose-candidate.ts'
import { listCommits, openHistory } from './open-history.ts'

let root: string
let made: GitHistory
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'history-'))
  made = new GitHistory(join(root, 'made'))
  made.commit('first\u0001of all\n\n1\t2\tno-count', { 'a.txt': '1\n2\n', 'gone.txt': 'x\n' })
  made.commit('binary', { 'b.bin': Buffer.from([0, 1]), 'a.txt': '1\n3\n4\n', 'gone.txt': null })
  made.commit('', {})
  made.git('checkout', '--quiet', '-b', 'side')
  made.commit('odd names', { ':100644 \n\t1\t2': 'x\n', '1\t2\tthree': 'x\n' })
  made.commit('a program', { 'run.sh': 'x\n' })
  chmodSync(join(made.root, 'run.sh'), 0o755)
  made.git('commit', '--quiet', '--all', '--amend', '--no-edit')
  made.git('checkout', '--quiet', 'main')
  made.commit('beside', { 'beside.txt': 'x\n' })
  made.git('merge', '--quiet', '--no-ff', '--message', 'merged', 'side')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const list = async (firstParent: boolean) =>
  listCommits(await openHistory(made.root, undefined, root), { maxCommits: 100, firstParent })
const tell = ({ message, parents, files }: Commit) => [
  message.trim(),
  parents.length,
  [...files.values()].map(({ path, before, after, lines }) =>
    [path, before.mode, after.mode, lines].join(' '),
  ),
]

it('reads what each commit changes compared with its first parent, a merge too', async () => {
  const commits = await list(true)
  expect(commits.map(tell)).toEqual([
    [
      'merged',
      2,
      ['1\t2\tthree 000000 100644 1', ':100644 \n\t1\t2 000000 100644 1', 'run.sh 000000 100755 1'],
    ],
    ['beside', 1, ['beside.txt 000000 100644 1']],
    ['', 1, []],
    ['binary', 1, ['a.txt 100644 100644 3', 'b.bin 000000 100644 ', 'gone.txt 100644 000000 1']],
    [
      'first\u0001of all\n\n1\t2\tno-count',
      0,
      ['a.txt 000000 100644 2', 'gone.txt 000000 100644 1'],
    ],
  ])
  expect(commits.map(({ id }) => id)).toEqual(
    made.git('log', '--first-parent', '--format=%H').split('\n'),
  )
  const [, beside] = commits
  expect(beside?.files.get('beside.txt')?.after.id).toBe(made.git('rev-parse', 'HEAD:beside.txt'))
})

it('walks merged branches as well, and then takes no merge', async () => {
  const commits = await list(false)
  expect(commits.map(({ message }) => message.trim())).toEqual(
    expect.arrayContaining(['odd names', 'a program']),
  )
  expect(commits.map(tell)).toContainEqual(['merged', 2, []])
})
