import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { digestJson } from '#lib/domain/digest/index.ts'
import { runAuditPlan } from '../audit/play-solution.ts'
import { ReferenceChecks } from '../engine/reference-checks.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { repositoryAdapter } from '../kinds/repository/repository-adapter.ts'
import { local } from '../sandbox/isolation/local.ts'
import { nop } from '../subjects/controls.ts'
import { readRepositoryTask } from '../suites/read-repository-task.ts'
import { proveRepository } from '../suites/verify/prove-repository.ts'
import { openJudging } from './open-judging.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
chmodSync(root, 0o755) // at `local` commands are another user
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FILES = {
  'task.yaml': `id: zone
title: Zone
category: bug
difficulty: easy
instruction: zone.sh must print zone and locale.
source: { folder: repo }
verify: { command: sh judge.sh, report: { format: tap }, timeout: 60 }
`,
  'repo/zone.sh': 'true\n',
  'tests/judge.sh': `n=0
for case in cases*.txt; do
  n=$((n + 1))
  [ "$(. ./zone.sh)" = "$(cat "$case")" ] && echo "ok $n - $case" || { echo "not ok $n - $case"; bad=1; }
done
echo "1..$n"
exit \${bad:-0}
`,
  'tests/cases.txt': 'UTC C.UTF-8\n',
  'canary/cases-{{canary}}.txt': '{{canary}}\n',
  'solution/zone.sh': 'echo "$TZ $LC_ALL"\n',
}

it('keeps a task whose reference fails since its proof out of the run, with the reason', async () => {
  const own = mkdtempSync(join(root, 'try-'))
  chmodSync(own, 0o755)
  const folder = join(own, 'zone')
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text.replaceAll('\\$', '$'))
  }
  const temporary = join(own, 'tmp')
  mkdirSync(temporary)
  const signal = new AbortController().signal
  const judging = await openJudging(null)
  const cache = join(own, 'cache')
  const place = { isolation: judging, temporary, cache, runMark: 'proofboard-test', signal }
  const loaded = await readRepositoryTask(folder)
  const how = { ...place, concurrency: 1, runs: 1, onTask: () => {} }
  const { proof } = await proveRepository(loaded, how)
  const { expectedTests = [], passedBefore = null } = proof ?? {}
  // Time zone and locale are the same on every machine, or the reference would not pass.
  expect(expectedTests).toEqual(['cases.txt'])
  const proven = {
    ...loaded,
    unproven: null,
    passedBefore,
    task: { ...loaded.task, expectedTests },
  }
  const stale = proven.tests.map((test) =>
    test.path === 'cases.txt' ? { ...test, bytes: Buffer.from('CET C.UTF-8\n') } : test,
  )
  const play = async (task: typeof proven, name: string) => {
    const adapter = repositoryAdapter(nop, {
      isolation: local,
      judging,
      cache,
      checks: new ReferenceChecks(),
    })
    const attempts = await runAuditPlan(
      { name, adapter, subject: nop.subject, played: [task] },
      {
        suite: { suiteId: 'zone', digest: digestJson('zone') },
        environment: await resolveEnvironment(await local.record()),
        concurrency: 1,
        signal,
        folder: own,
      },
    )
    return attempts.get('zone')?.at(-1)?.outcome
  }
  expect(await play(proven, 'fresh')).toMatchObject({ status: 'unsolved' })
  expect(await play({ ...proven, tests: stale }, 'stale')).toMatchObject({
    status: 'void',
    fault: 'infrastructure',
    cause: 'reference-fails',
    reason:
      'the task is quarantined: its own reference does not pass its tests here now (1 of 1 test did not pass, first cases.txt: failed)',
  })
})
