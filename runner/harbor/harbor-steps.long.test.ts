import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_IMAGE, startTestDocker, type TestDocker } from '#lib/testing/chaos/test-docker.ts'
import {
  lastJson,
  readMeasuredBundle,
  startProofboard,
} from '#lib/testing/factories/proofboard-command.ts'
import { lacking } from '#lib/testing/needs.ts'
import { sweepImages } from '../sandbox/isolation/docker/sweep-containers.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import { HARBOR_FILES, STEP_FILES, writeHarborTask } from './harbor-task.fixture.ts'
import { openPlace, type PlaceSettings } from './open-place.ts'
import { proveHarbor } from './prove-harbor.ts'
import { readHarborTask } from './read-harbor-task.ts'

const started = await startTestDocker()
const missing = typeof started === 'string' ? started : null

const KEY = 'value-of-this-machine-4711'

/** A service that is available only while its process runs, from two seconds after its start. */
const SERVICE = {
  'environment/Dockerfile':
    'FROM debian:12\nWORKDIR /app\nCOPY word.txt serve ./\nENTRYPOINT ["/bin/bash", "/app/serve"]\n',
  'environment/serve':
    'trap "" PIPE; sleep 2; mkfifo /tmp/door; while true; do echo "$GREETING" > /tmp/door; done\n',
  'task.toml': `${HARBOR_FILES['task.toml']}
env = { GREETING = "hello" }
[environment.healthcheck]
command = "timeout 1 head -n 1 /tmp/door"
start_period_sec = 20
start_interval_sec = 1
retries = 1
`,
  'solution/solve.sh': '#!/bin/bash\nhead -n 1 /tmp/door > greet.txt\n',
}

describe('tasks in Harbor’s format with steps and services', {
  timeout: 600_000,
  ...lacking(missing && `docker: ${missing}`),
}, () => {
  const engine = started as TestDocker
  const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  const data = join(root, 'data')
  let settings: PlaceSettings
  beforeAll(async () => {
    await engine.buildImage()
    engine.docker('tag', BASE_IMAGE, 'debian:12')
    const temporary = join(root, 'tmp')
    mkdirSync(temporary)
    const signal = new AbortController().signal
    settings = { temporary, runMark: 'proofboard-test', signal, variables: { TASK_KEY: KEY } }
  }, 1_200_000)
  afterAll(async () => {
    await engine.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const fresh = (files: Record<string, string | null>) =>
    readHarborTask(writeHarborTask(mkdtempSync(join(root, 'task-')), files))

  async function prove(files: Record<string, string | null>, more: Partial<PlaceSettings> = {}) {
    const results: CandidateResult[] = []
    await proveHarbor([fresh(files)], {
      ...settings,
      ...more,
      concurrency: 1,
      runs: 1,
      data,
      onTask: (_, candidates) => results.push(...candidates),
    })
    return results.map(({ candidate, solved, observed }) => [candidate, solved, observed])
  }

  it('proves each step by its own solution, and is not proven without its variables', async () => {
    const [nop, reference] = await prove(STEP_FILES)
    expect(nop).toEqual(['nop', false, 'step 1 of 2: first: the reward is 1 or more: 0'])
    expect(reference).toEqual(['reference', true, 'run 1: rewarded with 1 or more'])
    const [refused] = await prove(STEP_FILES, { variables: {} })
    expect(refused?.[2]).toBe(
      'it asks for TASK_KEY of this machine, which it is given only with --env TASK_KEY',
    )
    expect(engine.containers()).toEqual([])
  })

  it.each([
    [
      { 'steps/second/workdir/setup.sh': 'echo broken >&2; exit 3\n' },
      'step 2 of 2: second: not run: step second cannot be worked on: its setup.sh exited with 3: broken',
    ],
    [
      { 'steps/second/workdir/setup.sh': 'true\n' },
      'step 2 of 2: second: not run: step second cannot be worked on: its healthcheck failed (it exited with 1)',
    ],
    [
      { 'task.toml': STEP_FILES['task.toml']?.replace('/app/word.txt', '/app/absent') ?? null },
      'greet cannot be started: its healthcheck failed (it exited with 1)',
    ],
  ])('says which part is not ready, case %#', async (more, sentence) => {
    const slow = {
      'task.toml':
        STEP_FILES['task.toml']?.replace('retries = 1', 'retries = 1\ninterval_sec = 0') ?? null,
    }
    const results = await prove({ ...STEP_FILES, ...slow, ...more })
    expect(results.at(-1)?.[2]).toContain(sentence)
  })

  it('runs the program that an image starts by itself beside agent and verifier', async () => {
    const results = await prove({
      ...SERVICE,
      'tests/test.sh': `#!/bin/bash
[ "$(cat /app/greet.txt)" = "$(timeout 5 head -n 1 /tmp/door)" ]
echo $((1 - $?)) > /logs/verifier/reward.txt
`,
    })
    expect(results.slice(0, 2)).toEqual([
      ['nop', false, 'the reward is 1 or more: 0'],
      ['reference', true, 'run 1: rewarded with 1 or more'],
    ])
    const idle = fresh({
      ...SERVICE,
      'environment/serve': 'exit 1\n',
      'task.toml': SERVICE['task.toml'].replace('start_period_sec = 20', 'start_period_sec = 2'),
    })
    await expect(openPlace(idle, settings, { requested: null, name: null })).rejects.toThrow(
      'greet cannot be started: its healthcheck failed',
    )
  })

  it('runs an agent on each step, and shows what became of each', {
    timeout: 900_000,
  }, async () => {
    const suite = mkdtempSync(join(root, 'suite-'))
    writeHarborTask(suite, {
      ...STEP_FILES,
      'task.toml': `${STEP_FILES['task.toml']}`.replace(
        'memory_mb = 512\n',
        'memory_mb = 512\nenv = { AGENT_KEY = "$' + '{TASK_KEY}" }\n',
      ),
      'tests/test.sh': `${STEP_FILES['tests/test.sh']}echo "the key is $KEY"\n`,
    })
    const command = (name: string, ...args: string[]) =>
      startProofboard(data, [...args, '--json'], { TASK_KEY: KEY, NAME: name }).ended
    const proven = await command(
      'prove',
      'suite',
      'verify',
      suite,
      '--runs',
      '1',
      '--env',
      'TASK_KEY',
    )
    expect(lastJson(proven.stdout), proven.stderr).toMatchObject({ referenceSolved: 1 })
    const solve =
      'if grep -q backwards "$PROOFBOARD_PROMPT_FILE"; then rev < greet.txt > "$(cat target.txt)"; else tr A-Z a-z < word.txt > greet.txt; fi; echo "the key is $AGENT_KEY"'
    const both = 'tr A-Z a-z < word.txt | rev > back.txt'
    const outs = mkdtempSync(join(root, 'out-'))
    const run = async (name: string, ...subject: string[]) => {
      const out = join(outs, name)
      const ended = await command(
        name,
        'run',
        '--suite',
        suite,
        '--out',
        out,
        '--env',
        'TASK_KEY',
        ...subject,
      )
      expect(ended.code, ended.stderr).toBe(0)
      const [episode] = readMeasuredBundle(join(out, 'result.json')).episodes
      return {
        status: episode?.outcome.status,
        steps: episode?.contract?.assertions.map(({ observed, verdict }) => [observed, verdict]),
      }
    }
    const solved = {
      status: 'solved',
      steps: [
        ['reward 1', 'pass'],
        ['reward 1', 'pass'],
      ],
    }
    expect(await run('reference', '--subject', 'reference')).toEqual(solved)
    const docker = ['--isolation', 'docker', '--command']
    expect(await run('shell', ...docker, solve)).toEqual(solved)
    // The file of the second step, made in the first one.
    expect(await run('early', ...docker, both)).toEqual({
      status: 'unsolved',
      steps: [
        ['reward 0', 'fail'],
        ['not run: the reward of step first is less than 1', 'fail'],
      ],
    })
    const texts = filesBelow(join(outs, 'shell')).map((path) => readFileSync(path, 'utf8'))
    expect(texts.filter((text) => text.includes('the key is')).length).toBeGreaterThan(1)
    expect(texts.filter((text) => text.includes(KEY))).toEqual([])
    const without = await startProofboard(data, ['run', '--suite', suite, '--subject', 'nop']).ended
    expect([without.code, without.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('greet asks for TASK_KEY of this machine'),
    ])
    expect(engine.containers()).toEqual([])
  })

  it('removes images of tasks that no run used for a week', async () => {
    const count = () =>
      engine
        .docker('images', '--format', '{{.Repository}}')
        .split('\n')
        .filter((name) => name === 'proofboard-harbor').length
    await sweepImages()
    expect(count()).toBeGreaterThan(0)
    await sweepImages(Date.now() + 8 * 24 * 3_600_000)
    expect(count()).toBe(0)
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}
