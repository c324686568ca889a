import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openJudging } from '../../repository/open-judging.ts'
import { prepareBase } from '../../repository/prepare-base.ts'
import { resolveSolution } from '../../repository/resolve-solution.ts'
import { readRepositoryTask } from '../read-repository-task.ts'
import type { StoredSolution } from '../repository-folder.ts'
import { proveRepositories, testRunner } from './prove-repository.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
chmodSync(root, 0o755) // at `local` commands are another user
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FILES: Record<string, string> = {
  'task.yaml': `id: doubles
title: Doubles
category: bug
difficulty: easy
instruction: double.sh must print twice its argument.
source: { folder: repo }
verify: { command: sh judge.sh, report: { format: tap }, timeout: 60 }
`,
  'repo/double.sh': 'echo "$1"\n',
  'tests/judge.sh': `n=0
for case in cases*.txt; do
  while read -r in out; do
    n=$((n + 1))
    set -- "$in"
    [ "$(. ./double.sh)" = "$out" ] && echo "ok $n - $case $in" || { echo "not ok $n - $case $in"; bad=1; }
  done < "$case"
done
echo "1..$n"
exit \${bad:-0}
`,
  'tests/cases.txt': '1 2\n4 8\n',
  'canary/cases-{{canary}}.txt': '{{canary}} no\n',
  'solution/double.sh': 'echo "$(($1 * 2))"\n',
  'wrong/adds/double.sh': 'echo "$(($1 + 1))"\n',
}

async function open(more: Record<string, string> = {}) {
  const own = mkdtempSync(join(root, 'try-'))
  chmodSync(own, 0o755)
  const folder = join(own, 'doubles')
  for (const [path, text] of Object.entries({ ...FILES, ...more })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const temporary = join(own, 'tmp')
  mkdirSync(temporary)
  const judging = await openJudging(null)
  let runs = 0
  const isolation: typeof judging = {
    ...judging,
    enclose: (request) => {
      runs += 1
      return judging.enclose(request)
    },
  }
  const signal = new AbortController().signal
  const place = { temporary, cache: join(own, 'cache'), runMark: 'proofboard-test', signal }
  const how = { isolation, ...place, concurrency: 1, runs: 2, onTask: () => {} }
  return { folder, how, countRuns: () => runs }
}

it('runs the altered tests with the solution alone, not with what fails the unaltered ones', async () => {
  const { folder, how, countRuns } = await open()
  const { deviations } = await proveRepositories([await readRepositoryTask(folder)], how)
  expect(deviations).toEqual([])
  expect(existsSync(join(folder, 'proof.json'))).toBe(true)
  // Twice the solution, once each nothing, emptied files and the wrong variant; then one altered version, drawn by the
  // solution and run with it, and the unaltered tests.
  expect(countRuns()).toBe(2 + 3 + 3)
})

it('runs the altered tests with a wrong variant that passes the unaltered ones', async () => {
  const { folder, how } = await open({ 'wrong/right/double.sh': 'echo "$(($1 + $1))"\n' })
  const { deviations } = await proveRepositories([await readRepositoryTask(folder)], how)
  expect(deviations).toMatchObject([
    { candidate: 'wrong/right', solved: true, deviates: 'wrong/right should not be solved' },
  ])
  expect(existsSync(join(folder, 'proof.json'))).toBe(false)
})

it('takes a run of the solution and of a wrong variant that was made before, but none of doing nothing', async () => {
  const { folder, how, countRuns } = await open()
  const task = await readRepositoryTask(folder)
  const base = await prepareBase(task, how)
  const args: string[] = []
  const run = testRunner(task, base, how)
  const runTests: typeof run = (changes) => {
    args.push(changes.map(({ bytes }) => String(bytes)).join())
    return run(changes)
  }
  const { deviations } = await proveRepositories([task], { ...how, earlier: { base, runTests } })
  expect(deviations).toEqual([])
  const of = (solution: StoredSolution | null | undefined) =>
    solution ? String(resolveSolution(solution, base.folder)[0]?.bytes) : ''
  expect(args).toEqual([of(task.reference), of(task.wrong[0])])
  expect(countRuns()).toBe(2 + 3 + 3)
})
