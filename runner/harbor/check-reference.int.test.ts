// @module-tag bubblewrap
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { digestJson } from '#lib/domain/digest/index.ts'
import { runAuditPlan } from '../audit/play-solution.ts'
import { ReferenceChecks } from '../engine/reference-checks.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { harborAdapter } from '../kinds/harbor/harbor-adapter.ts'
import { local } from '../sandbox/isolation/local.ts'
import { nop } from '../subjects/controls.ts'
import { writeHarborTask } from './harbor-task.fixture.ts'
import { readHarborTask } from './read-harbor-task.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('charges no work with a task whose own solution is not rewarded here any more', async () => {
  const folder = mkdtempSync(join(root, 'try-'))
  const fresh = { ...readHarborTask(writeHarborTask(folder)), unproven: null }
  const test = '#!/bin/bash\necho 0 > /logs/verifier/reward.txt\n'
  const tests = fresh.tests.map((file) => ({ ...file, bytes: Buffer.from(test) }))
  const stale = { ...fresh, tests }
  const store = join(folder, 'references')
  const runs = join(folder, 'runs')
  mkdirSync(runs)
  let acted = 0
  const play = async (task: typeof fresh) => {
    const act: typeof nop.act = (context) => {
      acted++
      return nop.act(context)
    }
    const checks = new ReferenceChecks(store)
    const adapter = harborAdapter({ ...nop, act }, { isolation: local, checks })
    const attempts = await runAuditPlan(
      { name: 'nop', adapter, subject: nop.subject, played: [task] },
      {
        suite: { suiteId: 'greet', digest: digestJson('greet') },
        environment: await resolveEnvironment(await local.record()),
        concurrency: 1,
        signal: new AbortController().signal,
        folder: runs,
      },
    )
    return attempts.get('greet')?.at(-1)?.outcome
  }
  const quarantined = { status: 'void', fault: 'infrastructure', cause: 'reference-fails' }
  expect(await play(fresh)).toMatchObject({ status: 'unsolved' })
  // It passed a moment ago, so the agent is fine, and this failure is not charged to it.
  expect(await play(stale)).toMatchObject(quarantined)
  expect(acted).toBe(2)
  expect(await play(stale)).toMatchObject({
    ...quarantined,
    reason:
      'the task is quarantined: its own reference does not pass its tests here now (the reward is 1 or more: 0)',
  })
  expect(acted).toBe(2)
})
