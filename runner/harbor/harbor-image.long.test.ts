import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bubblewrap } from '../sandbox/isolation/bubblewrap.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { proveHarbor } from '../suites/verify/prove-harbor.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import { writeHarborTask } from './harbor-task.fixture.ts'
import { judgeHarbor } from './judge-harbor.ts'
import { openPlace, type PlaceSettings } from './open-place.ts'
import { readHarborTask } from './read-harbor-task.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
const missing = await bubblewrap.available()
process.stderr.write(
  'SKIPPED, a real docker: tasks in Harbor’s format are played on a stand-in for its command line\n',
)
const state = join(root, 'docker')
const before = { PATH: process.env.PATH, DOCKER_CONFIG: process.env.DOCKER_CONFIG }
let settings: PlaceSettings

beforeAll(() => {
  const bin = join(root, 'bin')
  for (const folder of [bin, state, join(root, 'tmp')]) mkdirSync(folder)
  copyFileSync(join(PROJECT_ROOT, 'lib/testing/chaos/docker-stand-in.mjs'), join(bin, 'docker'))
  chmodSync(join(bin, 'docker'), 0o755)
  Object.assign(process.env, { PATH: `${bin}:${before.PATH}`, DOCKER_CONFIG: state })
  const signal = new AbortController().signal
  settings = { temporary: join(root, 'tmp'), runMark: 'proofboard-test', signal }
})
afterAll(() => {
  process.env.PATH = before.PATH
  if (before.DOCKER_CONFIG === undefined) delete process.env.DOCKER_CONFIG
  else process.env.DOCKER_CONFIG = before.DOCKER_CONFIG
  rmSync(root, { recursive: true, force: true })
})

/** What is outside of the working folder counts here, and it is the image's own file that is changed. */
const OF_IMAGE = {
  'environment/Dockerfile':
    'FROM debian:12\nWORKDIR /app\nCOPY word.txt .\nRUN mkdir ../data && echo old > ../data/list\n',
  'solution/solve.sh': `#!/bin/bash
tr A-Z a-z < word.txt > greet.txt
echo new >> /data/list
(sleep 5; while true; do echo 0 > /app/greet.txt; done) > /dev/null 2>&1 &
`,
  'tests/test.sh': `#!/bin/bash
[ "$(cat /app/greet.txt)" = "$WANTED" ] && [ "$(tail -n 1 /data/list)" = new ] && [ ! -e /solution ]
echo $((1 - $?)) > /logs/verifier/reward.txt
`,
}
const fresh = (more: Record<string, string | null> = {}) =>
  readHarborTask(writeHarborTask(mkdtempSync(join(root, 'task-')), { ...OF_IMAGE, ...more }))

const calls = (verb: string): string[][] =>
  readFileSync(join(state, 'calls'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as string[])
    .filter(([first]) => first === verb)

async function prove(more: Record<string, string | null> = {}): Promise<CandidateResult[]> {
  const results: CandidateResult[] = []
  await proveHarbor([fresh(more)], {
    ...{ ...settings, concurrency: 1, runs: 1, data: join(root, 'data') },
    onTask: (_, candidates) => results.push(...candidates),
  })
  return results
}

describe.skipIf(missing !== null)('tasks in Harbor’s format, in their image (stand-in)', () => {
  it('proves a task in containers that are limited, fresh for the verifier, and gone', async () => {
    const results = await prove()
    expect(results.map(({ candidate, solved, deviates }) => [candidate, solved, deviates])).toEqual(
      [
        ['nop', false, null],
        ['reference', true, null],
        ['attack/changed-tests', false, null],
      ],
    )
    expect(calls('build')).toHaveLength(1)
    const runs = calls('run')
    expect(runs).toHaveLength(3)
    for (const run of runs)
      expect(run).toEqual(
        expect.arrayContaining(['--network=none', '--cpus=1', `--memory=${512 * 2 ** 20}`]),
      )
    const [nop, solve, verify] = runs.map((run) => run.find((word) => word.startsWith('sha256:')))
    expect(solve).toBe(nop)
    expect(verify).not.toBe(solve)
    const shown = runs
      .map((run) => run.join(' '))
      .map((run) => [/target=\/tests/.test(run), /target=\/solution/.test(run)])
    expect(shown).toEqual([
      [true, false],
      [false, true],
      [true, false],
    ])
    expect(readdirSync(join(state, 'containers'))).toEqual([])
    expect(
      readdirSync(join(state, 'images')).filter((name) => name.startsWith('sha256:')),
    ).toHaveLength(1)
  })

  it('keeps what was changed anywhere as evidence, and opens the network where it is asked for', async () => {
    const task = fresh({
      'task.toml':
        '[agent]\nuser = "me"\n[environment]\nallow_internet = true\n[verifier]\nenv = { WANTED = "hello" }\n',
    })
    const place = await openPlace(task, settings, { asked: null, name: null })
    const log = new CappedLog(join(place.folder, 'solve.log'), 1 << 20)
    try {
      await place.solve(log)
      expect(calls('run').at(-1)).toEqual(expect.arrayContaining(['--network=bridge', '--user=me']))
      const work = await place.take([])
      const texts = work.changes.map(({ path, bytes }) => [path, bytes?.toString()])
      expect(texts).toEqual([
        ['app/greet.txt', expect.any(String)],
        ['data/list', 'old\nnew\n'],
      ])
      expect((await judgeHarbor(place, work)).reward).toBe(1)
    } finally {
      log.close()
      await place.leave()
    }
  })

  it('pulls an image that is named, and says why one cannot be had', async () => {
    const registry = join(state, 'registry', encodeURIComponent('example/lower:1'))
    for (const folder of ['app', 'data']) mkdirSync(join(registry, folder), { recursive: true })
    writeFileSync(join(registry, 'app', 'word.txt'), 'HELLO\n')
    const toml = (image: string) => ({
      'task.toml': `[verifier]\nenv = { WANTED = "hello" }\n[environment]\ndocker_image = "${image}"\n`,
      'environment/Dockerfile': null,
    })
    expect(await prove(toml('example/lower:1'))).toContainEqual(
      expect.objectContaining({ candidate: 'reference', solved: true }),
    )
    const [absent] = await prove(toml('example/other:1'))
    expect(absent?.deviates).toBe(
      'the image of greet could not be pulled (example/other:1): manifest for example/other:1 not found',
    )
    const [broken] = await prove({ 'environment/Dockerfile': 'FROM debian:12\nRUN exit 3\n' })
    expect(broken?.deviates).toContain('could not be built from environment/Dockerfile')
    expect(RUNNER_ENV.DOCKER_CONFIG).toBe(state)
  })
})
