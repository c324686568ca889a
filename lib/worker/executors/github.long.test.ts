import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { database } from '#lib/db/database.ts'
import { findRemoteRun, saveEngineId } from '#lib/db/remote-run-store.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { parseExecutors } from '#lib/domain/executors/index.ts'
import { settleEnv } from '#lib/env.ts'
import { allowWorkflow } from '#lib/server/accounts/oidc-rules.ts'
import { getMachines } from '#lib/server/remote/machines.ts'
import {
  type RemoteTest,
  startRemoteTest,
  untilRunning,
  waitingAgent,
} from '#lib/testing/cases/remote-runs.ts'
import {
  type GithubActionsStandIn,
  startGithubActions,
} from '#lib/testing/factories/github-actions.ts'
import { LocalIssuer, WORKFLOW } from '#lib/testing/factories/local-issuer.ts'
import { waitUntilTrue } from '#lib/testing/factories/real-queue.ts'
import { samplePlan } from '#lib/testing/factories/samples.ts'
import { GithubEngine } from './github.ts'

const REPOSITORY = WORKFLOW.repository
const TOKEN_VARIABLE = 'PROOFBOARD_TEST_TOKEN'
let test: RemoteTest
let issuer: LocalIssuer
let github: GithubActionsStandIn

beforeAll(async () => {
  test = await startRemoteTest()
  issuer = await LocalIssuer.start()
  process.env.PROOFBOARD_OIDC_ISSUERS = issuer.url
  process.env.PROOFBOARD_OIDC_AUDIENCE = test.url
  settleEnv(process.cwd())
  const { repository_id: repositoryId, repository_owner_id: repositoryOwnerId, ref } = WORKFLOW
  const rule = { issuer: issuer.url, repositoryId, repositoryOwnerId, ref, plainAudience: false }
  await allowWorkflow(
    { ...rule, workflow: null, environment: null, events: null },
    { actor: { kind: 'console', id: null, name: 'console' }, now: new Date() },
  )
})
afterAll(async () => {
  await issuer.close()
  await test.close()
})

async function open(appears = true) {
  const identityEnv = (runId: number) => {
    const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ...key } = issuer.workflowEnv
    return { ...key, ACTIONS_ID_TOKEN_REQUEST_URL: `${url}&run_id=${runId}` }
  }
  const prepare = (folder: string) => test.layImage(join(folder, 'data'))
  github = await startGithubActions({ repository: REPOSITORY, prepare, identityEnv, appears })
  process.env[TOKEN_VARIABLE] = github.token
  test.configure({ github: settings() })
}
beforeEach(() => open())
afterEach(() => github.close())

const settings = () => ({
  repository: REPOSITORY,
  api: github.url,
  token: TOKEN_VARIABLE,
  shards: 2,
  poll: 0.2,
  appear: 1,
})
const messageText = () => github.runs.flatMap(({ jobs }) => jobs.map((job) => job.said)).join('\n')
const asked = (path: RegExp) => github.requests.filter((one) => path.test(one)).length

describe('a plan as a workflow', () => {
  it('another worker finds it again, a job that died is run again, and nothing is doubled', async () => {
    const sign = join(test.signs, 'go')
    const first = await test.start('github', waitingAgent(sign))
    const { runId } = first
    await untilRunning(runId)
    // As if it had been killed between the dispatch and storing the run's id.
    const second = first.takeOver()
    await first.ending
    await saveEngineId(database(), runId, { engineId: null, engineUrl: null })
    const { ending } = await second
    const isFound = async () => (await findRemoteRun(database(), runId))?.engineId === '9001'
    await waitUntilTrue('the run is found again', isFound)
    github.kill(1)
    const isFailed = async () => (await findRemoteRun(database(), runId))?.parts[0]?.state
    await waitUntilTrue('the shard is failed', async () => (await isFailed()) === 'failed')
    writeFileSync(sign, '')
    expect(await ending, messageText()).toMatchObject({ status: 'done', reason: null })
    expect(await test.episodes(runId)).toEqual([
      ['lru-cache', 1, 'void'],
      ['lru-cache', 2, 'unsolved'],
      ['rate-limiter', 1, 'unsolved'],
    ])
    expect((await getMachines(runId))?.machines).toMatchObject([
      { number: 1, state: 'done', tries: 2, sealed: 1, lost: 0, host: 'GitHub Actions 1' },
      { number: 2, state: 'done', tries: 1, sealed: 1, lost: 0, host: 'GitHub Actions 2' },
    ])
    expect([asked(/dispatches$/), asked(/rerun-failed-jobs$/)]).toEqual([1, 1])
    expect(JSON.stringify(github.runs[0]?.manifest)).not.toMatch(/pbr_|ghp_/)
    expect(messageText()).not.toMatch(/pbr_|ghp_|key-of-the-job/)
  }, 300_000)

  it('only the workflow run that was started reports, and a run that is cancelled ends its jobs', async () => {
    const { runId, ending, cancel } = await test.start(
      'github',
      waitingAgent(join(test.signs, 'never')),
    )
    await untilRunning(runId)
    const report = { event: 'failed', shard: 1, try: 1, reason: 'not theirs' }
    const claims = { run_id: '9001', event_name: 'workflow_dispatch' }
    const other = { ...report, reason: 'another body' }
    expect(await send(runId, report, { claims: { ...claims, run_id: '9002' } })).toBe(403)
    expect(await send(runId, report, { claims, signed: other })).toBe(401)
    const elsewhere = { ...claims, repository: 'acme/other' }
    expect(await send(runId, report, { claims: elsewhere })).toBe(403)
    expect((await getMachines(runId))?.machines[0]).toMatchObject({ state: 'running' })
    cancel()
    expect(await ending, messageText()).toMatchObject({ status: 'cancelled' })
    const ended = (await getMachines(runId))?.machines
    expect(ended?.every(({ state }) => state === 'cancelled')).toBe(true)
    expect((await test.episodes(runId)).every(([, , status]) => status === 'cancelled')).toBe(true)
    expect(github.runs[0]?.jobs.every(({ child }) => child === null)).toBe(true)
    expect(await send(runId, report, { claims })).toBe(401)
  }, 300_000)
})

type Claimed = { claims: Record<string, string>; signed?: object }

async function send(runId: string, report: object, { claims, signed = report }: Claimed) {
  const audience = `${test.url}#${digestBytes(JSON.stringify(signed)).replace(':', '=')}`
  const response = await fetch(`${test.url}/api/v1/remote-runs/${runId}/progress`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await issuer.sign(audience, { claims })}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(report),
  })
  return response.status
}

describe('what GitHub refuses, in one sentence', () => {
  function engine(more: object = {}) {
    const parsed = parseExecutors({ schemaVersion: 1, github: { ...settings(), ...more } })
    if (!parsed.ok || !parsed.value.github) throw new Error('not configured')
    const plan = samplePlan()
    const { planDigest } = plan
    const manifest = { runId: 'run_abcd1234', planDigest, shards: 2, launch: 1, title: 'x' }
    return new GithubEngine({ ...manifest, url: test.url }, parsed.value.github, plan)
  }
  const run = (more: object) => JSON.stringify({ workflow_runs: [more] })

  it.each<[string, number, string, string]>([
    ['no JSON', 200, '<html>', 'GitHub gave an answer that makes no sense: '],
    ['another shape', 200, run({ id: 'x' }), 'makes no sense: workflow_runs.0.id'],
    [
      'a link that is none',
      200,
      run({
        id: 1,
        status: 'x',
        conclusion: null,
        run_attempt: 1,
        display_title: 'x',
        created_at: '2026-01-01T00:00:00Z',
        html_url: 'javascript:alert(1)',
      }),
      'makes no sense: workflow_runs.0.html_url',
    ],
    ['its own trouble', 502, 'bad gateway', 'GitHub answered 502: bad gateway'],
    [
      'a token that has expired',
      401,
      '{}',
      'GitHub does not take the token in PROOFBOARD_TEST_TOKEN: it is wrong or has expired',
    ],
    [
      'no rights',
      403,
      '{"message":"Resource not accessible"}',
      'GitHub answered 403 (Resource not accessible): the token in PROOFBOARD_TEST_TOKEN needs "Actions: read and write" on acme/bench',
    ],
    [
      'no such workflow',
      404,
      '{"message":"Not Found"}',
      'GitHub knows no workflow launch.yml in acme/bench: commit .github/workflows/launch.yml to its default branch, and let the token in PROOFBOARD_TEST_TOKEN see the repository',
    ],
  ])('%s', async (_, status, text, message) => {
    github.faults.push({ path: /^GET .*\/runs$/, status, text })
    const refused = await engine()
      .find()
      .catch((error: Error) => error.message)
    expect(refused).toContain(message)
    expect(refused).not.toContain(github.token)
  })

  it('its limit of requests ends by itself; a token that is not set does not', async () => {
    const text = '{"message":"API rate limit exceeded"}'
    github.faults.push({ path: /^GET .*\/runs$/, status: 403, text })
    await expect(engine().find()).rejects.toMatchObject({ isFinal: false })
    await expect(engine({ token: 'PROOFBOARD_OTHER_TOKEN' }).find()).rejects.toMatchObject({
      isFinal: true,
      message: expect.stringContaining('PROOFBOARD_OTHER_TOKEN holds no token of GitHub'),
    })
  })

  it('jobs that are none of ours, or no list', async () => {
    await engine().start()
    github.faults.push({ path: /jobs$/, status: 200, text: '{"jobs":[{"name":7}]}' })
    await expect(engine().look('9001')).rejects.toThrow('makes no sense: jobs.0.name')
    const jobs = ['build', 'shard 0', 'shard x'].map((name) => {
      return { name, status: 'queued', conclusion: null }
    })
    github.faults.push({ path: /jobs$/, status: 200, text: JSON.stringify({ jobs }) })
    expect((await engine().look('9001')).shards).toEqual([])
    const gone = { isOver: true, reason: 'the run is no longer on GitHub' }
    expect(await engine().look('1')).toMatchObject(gone)
  })

  const look = (more: object, conclusion = 'failure') => {
    const ended = {
      id: 9001,
      status: 'completed',
      conclusion,
      run_attempt: 1,
      display_title: 'x',
      created_at: new Date().toISOString(),
      html_url: 'https://github.example/r',
    }
    const jobs = [{ name: 'shard 1', status: 'completed', conclusion }]
    const text = [JSON.stringify({ ...ended, ...more }), JSON.stringify({ jobs })] as const
    github.faults.push(
      { path: /^GET .*runs\/9001$/, status: 200, text: text[0] },
      { path: /jobs$/, status: 200, text: text[1] },
    )
    return engine().look('9001')
  }

  it('a shard is given up after its tries, or when GitHub does not run it again', async () => {
    expect(await look({ run_attempt: 4 })).toMatchObject({
      isOver: true,
      shards: [{ number: 1, state: 'given-up', reason: 'GitHub: the job ended with failure' }],
    })
    expect(await look({}, 'cancelled')).toMatchObject({
      isOver: true,
      reason: 'GitHub: the run ended with cancelled',
      shards: [{ state: 'given-up' }],
    })
    expect(asked(/rerun/)).toBe(0)
    const text = '{"message":"The workflow run is too old"}'
    github.faults.push({ path: /rerun-failed-jobs$/, status: 422, text })
    const reason = 'GitHub answered 422: The workflow run is too old'
    expect(await look({})).toMatchObject({ isOver: true, reason, shards: [{ state: 'failed' }] })
  })

  it('a run that is older than its hours is ended', async () => {
    await look({ status: 'in_progress', conclusion: null, created_at: '2026-01-01T00:00:00Z' })
    expect(asked(/runs\/9001\/cancel$/)).toBe(1)
  })

  it('a launch that was dispatched twice is one run, and the other is ended', async () => {
    const first = engine()
    expect(await first.find()).toBeNull()
    const { engineId } = await first.start()
    for (const duplicate of github.runs.slice(0, 1))
      github.runs.push({ ...duplicate, id: 9002, jobs: duplicate.jobs.map((job) => ({ ...job })) })
    expect(await engine().find()).toMatchObject({ engineId, hasToken: true })
    expect((await engine().start()).engineId).toBe('9001')
    await first.clean(engineId)
    expect(github.runs.map(({ isCancelled }) => isCancelled)).toEqual([false, true])
    expect(asked(/dispatches$/)).toBe(1)
  })

  it('a launch that GitHub refuses fails with that sentence, and starts nothing', async () => {
    const text = '{"message":"No ref found for: main"}'
    github.faults.push({ path: /dispatches$/, status: 422, text })
    const { runId, ending } = await test.start('github', ['--subject', 'reference'])
    const reason = 'GitHub answered 422: No ref found for: main'
    expect(await ending).toMatchObject({ status: 'failed', reason })
    expect(github.runs).toEqual([])
    expect((await findRemoteRun(database(), runId))?.tokenRevokedAt).not.toBeNull()
  }, 60_000)

  it('a run that never appears', async () => {
    await github.close()
    await open(false)
    const { ending } = await test.start('github', ['--subject', 'reference'])
    const reason = expect.stringMatching(
      /^GitHub took the launch, but no run "launch proofboard-run-\S+" of launch.yml appeared in acme\/bench within 1 s: /,
    )
    expect(await ending).toMatchObject({ status: 'failed', reason })
    expect(asked(/dispatches$/)).toBe(1)
  }, 60_000)
})
