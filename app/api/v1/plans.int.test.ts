import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listLedger } from '#lib/db/ledger-store.ts'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { findBrokenLink } from '#lib/domain/ledger/index.ts'
import { freezePlan } from '#lib/domain/record/index.ts'
import { addToken } from '#lib/server/accounts/tokens.ts'
import { type HostileTestServer, openTestServer } from '#lib/testing/corpora/hostile/test-server.ts'
import { CONSOLE } from '#lib/testing/corpora/submit-body.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { GET } from './plans/[planDigest]/route.ts'
import { POST } from './plans/route.ts'
import { POST as submit } from './results/route.ts'

const suite = sampleSuite()
const {
  planDigest: _,
  frozenAt: __,
  schemaVersion: ___,
  ...draft
} = samplePlan({
  suiteDigest: suite.digest,
  tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
})
const now = () => new Date().toISOString()
const RUNS = ['run_first00001', 'run_second0001']
const [FIRST = '', SECOND = ''] = RUNS

let server: HostileTestServer
let plan: ReturnType<typeof freezePlan>
beforeEach(async () => {
  server = await openTestServer()
  await saveSuite(server.db, suite, new Date())
  plan = freezePlan(draft, { now: now() })
})
afterEach(() => server.close())

const headersOf = (token: string) => ({
  'content-type': 'application/json',
  ...(token && { authorization: `Bearer ${token}` }),
})
async function send(body: unknown, token = server.token) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const request = new Request('http://localhost/api/v1/plans', {
    method: 'POST',
    headers: headersOf(token),
    body: text,
  })
  const response = await POST(request)
  return { status: response.status, json: await response.json() }
}
const named = (...ids: string[]) => ids.map((runId) => ({ runId }))

async function submitRun(runId: string, startedAt = now(), token = server.token) {
  const episodes = plan.tasks.flatMap(({ taskId, digest: taskDigest }) =>
    [1, 2].map((repetition) =>
      sampleEpisode({ runId, taskId, taskDigest, repetition, startedAt, endedAt: startedAt }, plan),
    ),
  )
  const lock = sampleEpisode().environment
  const shard = { index: 1, count: 1 }
  const bundle = { kind: 'proofboard-result', schemaVersion: 1, runId, plan, shard, lock, episodes }
  const request = new Request('http://localhost/api/v1/results', {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify(bundle),
  })
  const response = await submit(request)
  expect(response.status, JSON.stringify(await response.clone().json())).toBe(201)
}

async function findRow() {
  const board = await refreshBoard(server.db, suite, new Date())
  const [row] = board.rows
  const reason = row?.refusals.find(({ code }) => code === 'registered')?.reason ?? null
  return { registration: row?.registration, reason }
}

async function readPlan() {
  const { planDigest } = plan
  const request = new Request(`http://localhost/api/v1/plans/${planDigest}`)
  return (await GET(request, { params: Promise.resolve({ planDigest }) })).json()
}

describe('a plan that is registered', () => {
  it('stands in the ledger with its time, its runs and its sender, once', async () => {
    const request = { plan, runs: named(FIRST), sentAt: now() }
    const first = await send(request)
    expect(first).toMatchObject({
      status: 201,
      json: {
        status: 'registered',
        planDigest: plan.planDigest,
        expected: 1,
        runs: [{ runId: FIRST, shard: null }],
        voucher: expect.stringMatching(/^token:token_/),
        sender: 'hostile',
        plan: { suiteId: 'sample', frozenAt: plan.frozenAt, episodes: 4 },
      },
    })
    const rows = await server.countRows()
    const again = await send({ ...request, sentAt: now() })
    expect([again.status, again.json.status, again.json.sequence]).toEqual([
      200,
      'known',
      first.json.sequence,
    ])
    expect(await server.countRows()).toBe(rows)
    const entries = await listLedger(server.db)
    const entry = entries.find(({ action }) => action.kind === 'register')
    expect(entry).toMatchObject({ hash: first.json.hash, at: first.json.receivedAt })
    expect(findBrokenLink(entries)).toBeNull()
  })

  it('owes its runs: the row says how many are in, and is whole with the last', async () => {
    await send({ plan, runs: named(...RUNS) })
    await submitRun(FIRST)
    expect((await findRow()).reason).toBe('1 of 2 registered runs received.')
    await submitRun(SECOND)
    expect(await findRow()).toMatchObject({
      reason: null,
      registration: { status: 'registered', owed: 2, received: 2 },
    })
    expect(await readPlan()).toMatchObject({ registrations: [{ received: RUNS }] })
  })

  it('may be known by its digest alone', async () => {
    const { status, json } = await send({ planDigest: plan.planDigest, expected: 1 })
    expect([status, json.plan]).toEqual([201, null])
    await submitRun(FIRST)
    expect((await findRow()).registration).toMatchObject({ status: 'registered', blind: 0 })
    expect(await readPlan()).toMatchObject({ registrations: [{ runs: [], received: [FIRST] }] })
  })

  it('is its sender’s: results of another token are unregistered', async () => {
    await send({ plan, runs: named(FIRST) })
    const order = { name: 'another', scopes: ['results:write'] as const, days: 1 }
    const another = await addToken(order, { actor: CONSOLE, now: new Date() })
    await expect(submitRun(FIRST, now(), another)).rejects.toThrow(/registered by another sender/)
    await submitRun(SECOND, now(), another)
    expect((await findRow()).reason).toMatch(/^Unregistered: 1 of 1 run /)
  })

  it('that was registered after its episodes started says so on the row', async () => {
    const { json } = await send({ plan, runs: named(FIRST) })
    const startedAt = new Date(Date.parse(json.receivedAt) - 31_000).toISOString()
    await submitRun(FIRST, startedAt)
    expect((await findRow()).reason).toMatch(/^Registered too late/)
  })

  it('results without any registration are unregistered', async () => {
    await submitRun(FIRST)
    expect(await findRow()).toMatchObject({
      reason: expect.stringMatching(/^Unregistered/),
      registration: { status: 'unregistered' },
    })
  })
})

describe('what cannot be registered is refused in one sentence, and nothing is written', () => {
  const early = (ms: number) => new Date(Date.now() - ms).toISOString()
  const cases: [string, () => unknown, number, RegExp][] = [
    ['no plan', () => ({ expected: 1 }), 400, /send the frozen plan, or its planDigest/],
    ['no run', () => ({ plan }), 400, /list the runs to register/],
    ['no JSON', () => '{', 400, /is not JSON/],
    ['an unknown member', () => ({ plan, runs: named(FIRST), x: 1 }), 400, /x/],
    [
      'an edited plan',
      () => ({ plan: { ...plan, repetitions: 9 }, runs: named(FIRST) }),
      400,
      /edited after it was frozen/,
    ],
    [
      'a clock behind',
      () => ({ plan, runs: named(FIRST), sentAt: early(31_000) }),
      400,
      /clock of your machine is 3\d s behind the server's/,
    ],
    [
      'a plan of the future',
      () => ({ plan: freezePlan(draft, { now: early(-120_000) }), runs: named(FIRST) }),
      400,
      /correct the clock of your machine/,
    ],
    ['a run twice', () => ({ plan, runs: named(FIRST, FIRST) }), 400, /is listed twice/],
    ['too few', () => ({ plan, runs: named(...RUNS), expected: 1 }), 400, /expected is 1/],
  ]
  it.each(cases)('%s', async (_, body, status, detail) => {
    const rows = await server.countRows()
    const result = await send(body())
    expect(result).toMatchObject({ status, json: { detail: expect.stringMatching(detail) } })
    expect(result.json.detail).toMatch(/^Nothing was registered: [^\n]+\.$/)
    expect(await server.countRows()).toBe(rows)
  })

  it.each<[string, () => Promise<unknown>, unknown, RegExp]>([
    [
      'the plan twice with other runs',
      () => send({ plan, runs: named(FIRST) }),
      { runs: named(SECOND) },
      /this plan is already registered, by hostile in ledger entry 2/,
    ],
    [
      'a run that another registration names',
      () => send({ plan, runs: named(FIRST) }),
      { runs: named(FIRST, SECOND), again: true },
      /run_first00001 is already registered/,
    ],
    [
      'a run that came in already',
      () => submitRun(FIRST),
      { runs: named(FIRST) },
      /run_first00001 was already uploaded/,
    ],
  ])('%s', async (_, prepare, request, detail) => {
    await prepare()
    const rows = await server.countRows()
    const result = await send({ plan, ...(request as object) })
    expect(result).toMatchObject({ status: 409, json: { detail: expect.stringMatching(detail) } })
    expect(await server.countRows()).toBe(rows)
  })

  it('a server whose clock is behind its own ledger', async () => {
    await server.db.ledgerEntry.updateMany({ data: { at: new Date(Date.now() + 3_600_000) } })
    const { status, json } = await send({ plan, runs: named(FIRST) })
    expect([status, json.detail]).toEqual([
      409,
      expect.stringContaining('behind the last entry of its ledger'),
    ])
  })

  it('refuses requests without a token with write access', async () => {
    expect((await send({ plan, runs: named(FIRST) }, '')).status).toBe(401)
  })

  it('tells of a plan that was never registered', async () => {
    const response = await GET(new Request(`http://localhost/api/v1/plans/${plan.planDigest}`), {
      params: Promise.resolve({ planDigest: plan.planDigest }),
    })
    expect(response.status).toBe(404)
    expect((await response.json()).detail).toMatch(/is registered here: register it with/)
  })

  it('more runs of a registered plan, if requested, are expected in addition', async () => {
    await send({ plan, runs: named(FIRST) })
    expect((await send({ plan, runs: named(SECOND), again: true })).status).toBe(201)
    await submitRun(SECOND)
    expect((await findRow()).reason).toBe('1 of 2 registered runs received.')
  })
})
