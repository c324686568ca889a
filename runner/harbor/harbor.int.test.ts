import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditContext, runAuditPlan } from '../audit/play-solution.ts'
import { ReferenceChecks } from '../engine/reference-checks.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { HARBOR } from '../kinds/harbor/harbor.ts'
import { harborAdapter } from '../kinds/harbor/harbor-adapter.ts'
import { tasksOf } from '../kinds/kind.ts'
import { loadSuite } from '../kinds/load-suite.ts'
import { bubblewrap } from '../sandbox/isolation/bubblewrap.ts'
import { local } from '../sandbox/isolation/local.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { commandAgent } from '../subjects/agents/command-agent.ts'
import { cheater, nop, reference } from '../subjects/controls.ts'
import type { SubjectDriver } from '../subjects/subject-driver.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import { writeHarborTask } from './harbor-task.fixture.ts'
import { judgeHarbor } from './judge-harbor.ts'
import { openPlace, type PlaceSettings } from './open-place.ts'
import { proveHarbor } from './prove-harbor.ts'
import { readHarborTask } from './read-harbor-task.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const fresh = () => mkdtempSync(join(root, 'task-'))

let settings: PlaceSettings
const before = process.env.PROOFBOARD_DATA_DIR
beforeAll(() => {
  const temporary = join(root, 'tmp')
  mkdirSync(temporary)
  process.env.PROOFBOARD_DATA_DIR = join(root, 'data')
  settings = { temporary, runMark: 'proofboard-test', signal: new AbortController().signal }
})
afterAll(() => {
  if (before === undefined) delete process.env.PROOFBOARD_DATA_DIR
  else process.env.PROOFBOARD_DATA_DIR = before
})

async function prove(more: Record<string, string | null>, runs = 1): Promise<CandidateResult[]> {
  const task = readHarborTask(writeHarborTask(fresh(), more))
  const results: CandidateResult[] = []
  const data = join(root, 'data')
  await proveHarbor([task], {
    ...settings,
    concurrency: 1,
    runs,
    data,
    onTask: (_, candidates) => results.push(...candidates),
  })
  return results
}

/** Judges the files that a shell command leaves in the task's folder. */
async function judgeAfter(command: string, more: Record<string, string | null> = {}) {
  const folder = writeHarborTask(fresh(), { ...more, 'solution/solve.sh': command })
  const place = await openPlace(readHarborTask(folder), settings, { requested: null, name: null })
  const log = new CappedLog(join(place.folder, 'solve.log'), 1 << 20)
  try {
    await place.solve(log)
    const { contract, findings, reward } = await judgeHarbor(place, await place.take([]))
    const failed = contract.assertions.find(({ verdict }) => verdict === 'fail')
    return { verdict: contract.verdict, reward, findings, said: failed?.observed ?? null }
  } finally {
    log.close()
    await place.leave()
  }
}

/** A verifier that loads the work into its own process and trusts the exit code. */
const IN_ONE_PROCESS = {
  'tests/test.sh': `#!/bin/bash
node --input-type=module -e "await import('/tests/outputs.test.mjs')"
if [ $? -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`,
  'tests/outputs.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
const { greet } = await import('/app/greet.mjs')
test('greets by name', () => { assert.equal(greet('Ada'), 'hello Ada') })
test('greets others', () => { assert.equal(greet('Bob'), 'hello Bob') })
`,
  'solution/solve.sh': `#!/bin/bash
echo 'export const greet = (name) => "hello " + name' > /app/greet.mjs
`,
}

const SOLVE = 'tr A-Z a-z < word.txt > greet.txt\n'
const GIVES = (line: string) => ({ 'tests/test.sh': `#!/bin/bash\n${line}\n` })

describe('tasks in Harbor’s format, in bubblewrap', { tags: 'bubblewrap' }, () => {
  it('has no verdict of a verifier that was stopped from outside', async () => {
    const stop = AbortSignal.timeout(1500)
    const folder = writeHarborTask(fresh(), GIVES('echo 1 > /logs/verifier/reward.txt; sleep 60'))
    const how = { ...settings, signal: stop }
    const place = await openPlace(readHarborTask(folder), how, { requested: null, name: null })
    try {
      await expect(judgeHarbor(place, await place.take([]))).rejects.toThrow('stopped')
    } finally {
      await place.leave()
    }
  })

  it('proves a task, keeps the proof in the data folder, and plays controls and an agent', async () => {
    const parent = mkdtempSync(join(root, 'suite-'))
    const folder = writeHarborTask(parent)
    const place = { suiteId: 'x', folder: parent, origin: 'own' as const }
    const verifier = () => {
      throw new Error('no exercise here')
    }
    const unproven = tasksOf(HARBOR, await loadSuite(place, verifier))
    if (unproven === null) throw new Error('not recognised')
    expect(unproven[0]?.unproven).toContain('has no proof')
    const listed = readdirSync(folder)
    const proof = await proveHarbor(unproven, {
      ...settings,
      concurrency: 1,
      runs: 2,
      data: join(root, 'data'),
      onTask: () => {},
    })
    expect(proof).toMatchObject({ referenceSolved: 1, nopSolved: 0, deviations: [] })
    expect(readdirSync(folder)).toEqual(listed)
    const { tasks, suite } = await loadSuite(place, verifier)
    expect(tasks[0]).toMatchObject({ unproven: null })
    if (tasks[0] === undefined || !('inputs' in tasks[0])) throw new Error('no task')
    const played = tasks as typeof unproven
    const agent: SubjectDriver = commandAgent({
      name: 'shell',
      version: '1',
      command:
        'test ! -e /tests && test ! -e /solution && cd /app && tr A-Z a-z < word.txt > greet.txt; echo 1 > /logs/verifier/reward.txt',
    })
    const environment = await resolveEnvironment(await local.record())
    const { signal } = settings
    const stage: AuditContext = {
      suite,
      environment,
      concurrency: 1,
      signal,
      folder: join(root, 'runs'),
    }
    mkdirSync(stage.folder, { recursive: true })
    const outcomes: string[] = []
    for (const driver of [nop, reference, cheater, agent]) {
      const isolation = driver === agent ? bubblewrap : local
      const adapter = harborAdapter(driver, { isolation, checks: new ReferenceChecks() })
      const { subject } = driver
      const attempts = await runAuditPlan({ name: subject.name, adapter, subject, played }, stage)
      outcomes.push(
        ...[...attempts.values()].flat().map(({ outcome }) => `${subject.name} ${outcome.status}`),
      )
    }
    expect(outcomes).toEqual([
      'nop unsolved',
      'reference solved',
      'cheater tampered',
      'shell solved',
    ])
  })

  it('says what keeps a task from being proven', async () => {
    const why = async (more: Record<string, string | null>, runs = 1) =>
      (await prove(more, runs)).flatMap(({ deviates, observed }) =>
        deviates ? `${deviates}: ${observed}` : [],
      )
    const cases = await Promise.all([
      why({ 'solution/solve.sh': null }),
      why(GIVES('echo 1 > /logs/verifier/reward.txt')),
      why({ 'solution/solve.sh': '#!/bin/sh\ntrue\n' }),
      why({ 'tests/test.sh': '#!/bin/bash\r\necho 1 > /logs/verifier/reward.txt\r\n' }),
      why({ 'environment/Dockerfile': 'FROM debian:12\nRUN apt-get update\n' }),
      why({ 'environment/docker-compose.yaml': 'services: {}\n' }),
    ])
    expect(cases.map(([line]) => line)).toEqual([
      expect.stringContaining('no solution/solve.sh'),
      expect.stringContaining('nop should not be solved'),
      expect.stringContaining('reference should be solved: run 1: the reward is 1 or more: 0'),
      expect.stringContaining('reference should be solved'),
      expect.stringContaining('needs docker, because it runs commands: apt-get update'),
      // Whichever of docker and its compose plugin is missing.
      expect.stringContaining('has services'),
    ])
  })

  it('is not solved by work that ends the verifier’s process with 0, or reports what it likes', async () => {
    const parent = mkdtempSync(join(root, 'suite-'))
    writeHarborTask(parent, IN_ONE_PROCESS)
    const place = { suiteId: 'x', folder: parent, origin: 'own' as const }
    const load = async () => {
      const loaded = await loadSuite(place, () => {
        throw new Error('no exercise here')
      })
      const tasks = tasksOf(HARBOR, loaded)
      if (tasks === null) throw new Error('not recognised')
      return tasks
    }
    const how = { ...settings, concurrency: 1, runs: 1, data: join(root, 'data') }
    const proof = await proveHarbor(await load(), { ...how, onTask: () => {} })
    expect(proof).toMatchObject({
      deviations: [],
      notApplicable: [expect.stringContaining('once in 4')],
    })
    const [task] = await load()
    expect(task?.altered).toEqual([{ path: 'outputs.test.mjs', at: expect.any(Number), names: [] }])
    const judged = async (text: string) => {
      if (task === undefined) throw new Error('no task')
      const where = await openPlace(task, settings, { requested: null, name: null })
      try {
        const changes = [{ path: 'greet.mjs', bytes: Buffer.from(text), executable: false }]
        const work = { changes, touched: [], findings: [], problem: null }
        const { contract, findings } = await judgeHarbor(where, work, task)
        return [contract.verdict, ...findings.map(({ code }) => code)]
      } finally {
        await where.leave()
      }
    }
    expect(await judged('export const greet = (name) => "hello " + name\n')).toEqual(['pass'])
    expect(await judged('process.exit(0)\n')).toEqual(['fail', 'canary-not-reported'])
    expect(await judged('export const greet = () => 1\n')).toEqual(['fail'])
  })

  it('says of tests that cannot be changed what work can do', async () => {
    const results = await prove({})
    expect(results.map(({ notApplicable = null }) => notApplicable)).toEqual([
      null,
      null,
      expect.stringContaining('work that ends the verifier’s process with 0 is rewarded'),
    ])
  })

  it.each(['kill -9 $PPID', '(sleep 1; kill -9 $PPID) & kill -STOP $PPID; wait'])(
    'is not solved by work that writes its reward and then ends the verifier: %s',
    async (end) => {
      const lie = `echo 'echo 1 > /logs/verifier/reward.txt; ${end}' > greet.sh`
      const runs = GIVES('sh /app/greet.sh\necho 0 > /logs/verifier/reward.txt')
      expect(await judgeAfter(lie, runs)).toMatchObject({ verdict: 'fail' })
    },
  )

  it('takes a reward as it takes a report: lies, partial, malformed and late ones are unsolved', async () => {
    const judged = await Promise.all([
      judgeAfter(SOLVE),
      judgeAfter(
        '(sleep 1; echo 1 > /logs/verifier/reward.txt) & echo 1 > /logs/verifier/reward.txt\n',
      ),
      judgeAfter(SOLVE, GIVES('echo 0.5 > /logs/verifier/reward.txt')),
      judgeAfter(SOLVE, GIVES('echo much > /logs/verifier/reward.txt')),
      judgeAfter(SOLVE, GIVES('ln -s /app/word.txt /logs/verifier/reward.txt')),
      judgeAfter(SOLVE, GIVES('head -c 100000 /dev/zero > /logs/verifier/reward.txt')),
      judgeAfter(SOLVE, GIVES('true')),
      judgeAfter(
        SOLVE,
        GIVES(
          'echo 1 > /logs/verifier/reward.txt; echo \'{"reward": 0}\' > /logs/verifier/reward.json',
        ),
      ),
      judgeAfter(SOLVE, {
        'task.toml': '[verifier]\ntimeout_sec = 1\n',
        ...GIVES('echo 1 > /logs/verifier/reward.txt; sleep 60'),
      }),
      judgeAfter(
        SOLVE,
        GIVES('echo \'{"reward": 1, "style": 0.2}\' > /logs/verifier/reward.json; exit 3'),
      ),
      judgeAfter('ln -s /etc/passwd linked\n'),
    ])
    expect(judged.map(({ verdict, reward, said }) => `${verdict} ${reward} ${said}`)).toEqual([
      'pass 1 null',
      'fail 0 0',
      'fail 0.5 0.5',
      'fail null reward.txt is not a number',
      'fail null reward.txt is a link',
      expect.stringMatching(/^fail null reward.txt has 100,000 bytes/),
      'fail null the verifier wrote neither reward.txt nor reward.json',
      'fail null reward.txt says 1 and reward.json 0',
      expect.stringContaining('did not end in time'),
      'pass 1 null',
      'fail null linked leads to /etc/passwd',
    ])
    expect(judged.at(-1)?.findings).toMatchObject([{ code: 'link-out-of-tree' }])
  })

  it('reads nothing of a task through links', async () => {
    const folder = writeHarborTask(fresh(), { 'instruction.md': null })
    await symlink('/etc/passwd', join(folder, 'instruction.md'))
    expect(() => readHarborTask(folder)).toThrow('instruction.md: is not a regular file')
    const other = writeHarborTask(fresh())
    await symlink('/etc', join(other, 'environment', 'etc'))
    expect(() => readHarborTask(other)).toThrow('etc is not a regular file')
  })
})
