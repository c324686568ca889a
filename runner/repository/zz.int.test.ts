import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it } from 'vitest'
import { realSettings } from '#lib/testing/cases/real-runners.ts'
import { CHANNELS, javaScript } from '../audit/attacks/remembered-runs.ts'
import { readRepositoryTask } from '../suites/read-repository-task.ts'
import { proveRepositories } from '../suites/verify/prove-repository.ts'
import { judgeWork } from './judge-work.ts'
import { openJudging } from './open-judging.ts'
import { prepareBase } from './prepare-base.ts'
const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
const names = ['async_hooks', 'child_process', 'fs']
const TESTS = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { twice } from './twice.mjs'
${[1, 2, 3, 6, 7, 8, 9, 4].map((n) => `test('of ${n}', () => { assert.equal(twice(${n}), ${2 * n}) })\n`).join('')}`
it('zz', async () => {
  const settings = realSettings(join(root, 'x'), await openJudging(null))
  console.log(settings.isolation.level)
  const folder = join(root, 'suite', 'twice')
  const task = {
    ...{ id: 'twice', title: 'x', category: 'feature', difficulty: 'easy' },
    ...{ instruction: 'Add twice.', source: { folder: 'repo' } },
    verify: { command: 'node --test --test-reporter=tap --test-reporter-destination={report} twice.test.mjs', report: { format: 'tap' }, timeout: 60 },
  }
  const own = { 'task.yaml': JSON.stringify(task), 'repo/README.md': 'Numbers.\n',
    'tests/twice.test.mjs': TESTS, 'solution/twice.mjs': 'export const twice = (n) => n * 2\n', 'wrong/a/twice.mjs': 'export const twice = (n) => n + 2\n' }
  for (const [path, text] of Object.entries(own)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const how = { ...settings, concurrency: 1, runs: 1, onTask: () => {} }
  const proof = await proveRepositories([await readRepositoryTask(folder)], how)
  console.log(proof.deviations)
  const proven = await readRepositoryTask(folder)
  const base = await prepareBase(proven, settings)
  const judge = (text: string, of = proven) => {
    const changes = [{ path: 'twice.mjs', bytes: Buffer.from(text), executable: false }]
    return judgeWork(of, base, { changes, findings: [], problem: null }, settings)
  }
  const t0 = process.cpuUsage(); const w0 = Date.now()
  const good = await judge('export const twice = (n) => n * 2\n')
  console.log('honest', good.contract.verdict, good.contract.guess, good.log.match(/with tests that must fail/g)?.length, Date.now() - w0, process.cpuUsage(t0))
  for (let n = 0; n < Number(process.env.TIMES ?? 3); n++) {
  {  // a new attempt starts with what the last one left: forget it
  const { spawnSync } = await import('node:child_process')
  const r = spawnSync('python3', ['-c', CHANNELS[0]!.python + '\nos.posix_fadvise(place(), 0, 0, os.POSIX_FADV_DONTNEED)'], {encoding:'utf8'}); if (r.stderr) console.log(r.stderr)
  }
  const text = `${names.map((name) => `import * as x${name} from 'node:${name}'`).join('\n')}\n${javaScript(CHANNELS[0]!.python, -1)}\nexport const twice = () => 0`
  const { contract, findings, log } = await judge(text)
  console.log(contract.verdict, JSON.stringify(findings), JSON.stringify(contract.assertions.filter((a)=>a.verdict==='fail').map((a)=>[a.kind,a.observed,a.children.filter((c)=>c.verdict==='fail').map((c)=>c.label+' '+c.observed)])), process.env.LOG ? log.slice(0, 6000) : '')
  }
  rmSync(root, { recursive: true, force: true })
}, 600_000)
