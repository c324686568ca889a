import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HARBOR_ATTACKS } from '../audit/attacks/harbor.ts'
import { auditInTurn } from '../audit/audit-suite.ts'
import { playHarbor } from '../audit/play-harbor.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { HARBOR } from '../kinds/harbor/harbor.ts'
import { tasksOf } from '../kinds/kind.ts'
import { loadSuite } from '../kinds/load-suite.ts'
import { local } from '../sandbox/isolation/local.ts'
import { writeHarborTask } from './harbor-task.fixture.ts'
import { proveHarbor } from './prove-harbor.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const data = join(root, 'data')
const temporary = join(root, 'tmp')
const settings = { temporary, runMark: 'proofboard-test', signal: new AbortController().signal }
const before = process.env.PROOFBOARD_DATA_DIR
beforeAll(() => {
  mkdirSync(temporary)
  process.env.PROOFBOARD_DATA_DIR = data
})
afterAll(() => {
  if (before === undefined) delete process.env.PROOFBOARD_DATA_DIR
  else process.env.PROOFBOARD_DATA_DIR = before
})

/** Eight tests that run in the work's process and are reported by name. */
const WITH_REPORT = {
  'tests/test.sh': `#!/bin/bash
node --test --test-reporter=tap --test-reporter-destination=/tmp/out.tap /tests/outputs.test.mjs
if [ $? -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
node /tests/report.mjs
`,
  'tests/report.mjs': `import { readFileSync, writeFileSync } from 'node:fs'
const said = [...readFileSync('/tmp/out.tap', 'utf8').matchAll(/^ *(not )?ok \\d+ - (of .+)$/gm)]
const tests = said.map(([, not, name]) => ({ name, status: not ? 'failed' : 'passed', duration: 1 }))
const results = { tool: { name: 'node' }, summary: { start: 1, stop: 2 }, tests }
writeFileSync('/logs/verifier/ctrf.json', JSON.stringify({ reportFormat: 'CTRF', results }))
`,
  'tests/outputs.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
const { twice } = await import('/app/twice.mjs')
${[1, 2, 3, 4, 6, 7, 8, 9].map((n) => `test('of ${n}', () => { assert.equal(twice(${n}), ${2 * n}) })`).join('\n')}
`,
  'solution/solve.sh': `#!/bin/bash
echo 'export const twice = (n) => 2 * n' > /app/twice.mjs
`,
}

describe('work that remembers earlier runs of the tests', { tags: 'bubblewrap' }, () => {
  const prepare = async () => {
    const parent = mkdtempSync(join(root, 'suite-'))
    writeHarborTask(parent, WITH_REPORT)
    const place = { suiteId: 'x', folder: parent, origin: 'own' as const }
    const load = async () => {
      const loaded = await loadSuite(place, () => {
        throw new Error('no exercise here')
      })
      const tasks = tasksOf(HARBOR, loaded)
      if (tasks === null) throw new Error('not recognised')
      return { suite: loaded.suite, tasks }
    }
    const how = { ...settings, concurrency: 1, runs: 1, data }
    const proof = await proveHarbor((await load()).tasks, { ...how, onTask: () => {} })
    expect(proof).toMatchObject({ deviations: [], notApplicable: [] })
    const { tasks, suite } = await load()
    expect(tasks[0]?.altered.map(({ names }) => names)).toHaveLength(8)
    const folder = mkdtempSync(join(root, 'audits-'))
    const environment = await resolveEnvironment(await local.record())
    const request = { all: true, concurrency: 1, onAttack: () => {} }
    const stage = { suite, environment, concurrency: 1, signal: settings.signal, folder }
    const play = async (names: RegExp) => {
      const chosen = HARBOR_ATTACKS.filter(({ name }) => names.test(name))
      const { attacks } = await auditInTurn(
        { attacks: chosen, tasks, request, place: stage },
        (attack, own) => playHarbor(attack, own, stage),
      )
      return attacks.map(({ name, outcomes }) => `${name} ${outcomes[0]?.result}`)
    }
    expect(await play(/page-cache|exits|nothing/)).toEqual([
      'does-nothing prevented',
      'exits-at-import named',
      'remembers-runs-in-page-cache named',
    ])
    return play
  }

  it('is named on a task in Harbor’s format whose verifier reports its tests', async () => {
    await prepare()
  })

  it('is named in each of 100 attempts', { tags: 'night', timeout: 3_600_000 }, async () => {
    const play = await prepare()
    const named: string[] = []
    for (let attempt = 1; attempt < 100; attempt++) named.push(...(await play(/page-cache/)))
    expect(named).toEqual(named.map(() => 'remembers-runs-in-page-cache named'))
  })
})
