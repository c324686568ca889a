import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Scope } from '#lib/domain/accounts/index.ts'
import { settleEnv } from '#lib/env.ts'
import { allowWorkflow } from '#lib/server/accounts/oidc-rules.ts'
import { addToken, listTokenViews, revokeToken } from '#lib/server/accounts/tokens.ts'
import { getSubmission } from '#lib/server/runs/runs.ts'
import { type HostileTestServer, openTestServer } from '#lib/testing/corpora/hostile/test-server.ts'
import { packZip } from '#lib/testing/corpora/pack-zip.ts'
import { smallBundle } from '#lib/testing/corpora/small-bundle.ts'
import { CONSOLE } from '#lib/testing/corpora/submit-body.ts'
import { LocalIssuer, WORKFLOW } from '#lib/testing/factories/local-issuer.ts'

let server: HostileTestServer
let issuer: LocalIssuer
beforeAll(async () => {
  issuer = await LocalIssuer.start()
})
afterAll(() => issuer.close())
beforeEach(async () => {
  vi.stubEnv('PROOFBOARD_URL', 'https://board.example')
  vi.stubEnv('PROOFBOARD_OIDC_ISSUERS', issuer.url)
  server = await openTestServer()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

type Sent = {
  body: string | Buffer
  token?: string
  query?: string
  headers?: Record<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: a response without a fixed shape
type Answer = { status: number; json: any; headers: Headers }

async function post({
  body,
  token = server.token,
  query = '',
  headers = {},
}: Sent): Promise<Answer> {
  const auth = token === '' ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${server.url}/api/v1/results${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...auth, ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: response.status, json: await response.json(), headers: response.headers }
}

const digestOf = (body: string | Buffer) => createHash('sha256').update(body).digest('hex')
const make = (scopes: readonly Scope[]) =>
  addToken({ name: scopes.join(), scopes, days: 1 }, { actor: CONSOLE, now: new Date() })
const allow = (changes: object = {}) =>
  allowWorkflow(
    {
      issuer: issuer.url,
      repositoryId: WORKFLOW.repository_id,
      repositoryOwnerId: WORKFLOW.repository_owner_id,
      ref: 'refs/heads/main',
      workflow: null,
      environment: null,
      events: null,
      plainAudience: false,
      ...changes,
    },
    { actor: CONSOLE, now: new Date() },
  )
const tokenFor = (body: string | Buffer, claims: Record<string, unknown> = {}) =>
  issuer.sign(`https://board.example#sha256=${digestOf(body)}`, { claims })

describe('results under an upload token', () => {
  it('are kept, and the answer says where, what and by whose word', async () => {
    const bundle = smallBundle()
    const { status, json, headers } = await post({
      body: bundle,
      headers: { 'x-request-id': 'ci-run-000042' },
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      status: 'committed',
      summary: 'Stored with provenance token: 2 new, 0 already stored.',
      counts: { new: 2, duplicate: 0, conflict: 0, rejected: 0 },
      runs: [
        { runId: 'run_sample0001', url: 'https://board.example/runs/run_sample0001', state: 'new' },
      ],
      body: { digest: `sha256:${digestOf(bundle)}`, bytes: Buffer.byteLength(bundle) },
      provenance: 'token',
      vouchedBy: null,
      requestId: 'ci-run-000042',
    })
    expect(headers.get('location')).toBe('https://board.example/runs/run_sample0001')
    expect(headers.get('ratelimit-policy')).toBe('"writes";q=100000;w=60')
    const { provenance } = await server.db.episode.findFirstOrThrow()
    expect(provenance).toBe('token')
    const audit = await server.db.auditEntry.findFirstOrThrow({
      where: { action: 'results.submit' },
    })
    expect(audit).toMatchObject({
      actorKind: 'token',
      actor: 'hostile',
      requestId: 'ci-run-000042',
    })
    expect(await getSubmission('run_sample0001')).toMatchObject({
      vouched: null,
      bodyDigest: `sha256:${digestOf(bundle)}`,
    })
  })

  it('are kept once, however often and however packed they come', async () => {
    const bundle = smallBundle()
    const packed = gzipSync(bundle)
    const zip = packZip([{ name: 'result.json', bytes: Buffer.from(bundle) }])
    expect((await post({ body: packed, headers: { 'content-encoding': 'gzip' } })).status).toBe(201)
    const before = await server.countRows()
    for (const [body, type] of [
      [bundle, 'application/json'],
      [packed, 'application/gzip'],
      [packed, 'application/json'],
      [zip, 'application/zip'],
    ] as const) {
      const again = await post({ body, headers: { 'content-type': type } })
      expect([again.status, again.json.status], type).toEqual([200, 'duplicate'])
    }
    expect(await server.countRows()).toBe(before)
  })

  it('are kept once when many send them at the same time', async () => {
    const body = smallBundle()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201])
    expect(await server.db.episode.count()).toBe(2)
    expect(await server.db.submission.count()).toBe(1)
  })

  it('are only looked at when that is all that was asked', async () => {
    const before = await server.countRows()
    const { status, json } = await post({ body: smallBundle(), query: '?dryRun=1' })
    expect([status, json.status, json.counts.new]).toEqual([200, 'previewed', 2])
    expect(json.summary).toBe('Dry run: 2 new, 0 already stored. Nothing was stored.')
    expect(await server.countRows()).toBe(before)
    const bad = await post({ body: '{"kind":"proofboard-result"', query: '?dryRun=1' })
    expect(bad.status).toBe(400)
    expect((await post({ body: smallBundle(), query: '?dryRun=maybe' })).status).toBe(400)
  })

  it('are refused with every flaw by its path, as a problem that a log can show', async () => {
    const bundle = JSON.parse(smallBundle({ episodes: 4 }))
    for (const at of [1, 3]) bundle.episodes[at].category = 'x'
    const { status, json, headers } = await post({ body: JSON.stringify(bundle) })
    expect(status).toBe(422)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(json).toMatchObject({
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      code: 'invalid-episode',
      errors: [{ path: 'episodes.1.seal' }, { path: 'episodes.3.seal' }],
      errorsOmitted: 0,
      counts: { new: 2, rejected: 2 },
      error: { code: 'invalid-episode' },
    })
    expect(json.requestId).toBe(headers.get('x-request-id'))
    expect(await server.db.episode.count()).toBe(0)
  })
})

describe('who may not', () => {
  it('distinguishes unknown senders (401) from those without permission (403)', async () => {
    const revoked = await make(['results:write'])
    const [{ id } = { id: '' }] = await listTokenViews()
    await revokeToken(id, { actor: CONSOLE, now: new Date() })
    const body = smallBundle()
    for (const token of ['', 'x', `pb_${'a'.repeat(43)}`, revoked, 'a.b.c', `${'e30'}.${'e30'}.`]) {
      const { status, headers } = await post({ body, token })
      expect(status, token).toBe(401)
      expect(headers.get('www-authenticate')).toContain('Bearer')
    }
    expect((await post({ body, token: await make(['runs:write', 'admin:read']) })).status).toBe(403)
    expect((await post({ body, token: await tokenFor(body) })).status).toBe(403)
    expect(await server.db.episode.count()).toBe(0)
  })

  it('sends too much at once is told how long to wait', async () => {
    vi.stubEnv('PROOFBOARD_WRITES_PER_MINUTE', '3')
    settleEnv(process.cwd())
    const body = smallBundle()
    const answers: Answer[] = []
    for (let at = 0; at < 4; at++) answers.push(await post({ body }))
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 429])
    const last = answers[3]
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(last?.headers.get('ratelimit')).toMatch(/^"writes";r=0;t=\d+$/)
    expect(last?.json.detail).toContain('nothing was stored')
    const other = await make(['results:write'])
    expect((await post({ body, token: other })).status).toBe(200)
  })
})

describe('results under a workflow’s identity token', () => {
  it('are kept with what the token says, and its claims go with the run', async () => {
    await allow()
    const body = smallBundle()
    const token = await tokenFor(body)
    const { status, json } = await post({ body, token })
    expect([status, json.provenance]).toEqual([201, 'oidc'])
    const said = {
      repository: 'acme/bench',
      repositoryId: '4711',
      runId: '9001',
      sha: WORKFLOW.sha,
      boundBy: 'audience',
    }
    expect(json.vouchedBy).toMatchObject(said)
    expect((await getSubmission('run_sample0001'))?.vouched).toMatchObject(said)
    expect(await server.db.run.findFirstOrThrow()).toMatchObject({ provenance: 'oidc' })
    const audit = await server.db.auditEntry.findFirstOrThrow({
      where: { action: 'results.submit' },
    })
    expect(audit).toMatchObject({ actorKind: 'workflow', actor: 'acme/bench run 9001' })
    const retried = await post({ body, token })
    expect([retried.status, retried.json.status], 'the answer was lost').toEqual([200, 'duplicate'])
  })

  it('are refused with another body than the token is for', async () => {
    await allow({ plainAudience: true })
    const [body, other] = [smallBundle(), smallBundle({ runId: 'run_sample0002' })]
    const wrong = await post({ body: other, token: await tokenFor(body) })
    expect([wrong.status, wrong.json.detail]).toEqual([
      401,
      expect.stringContaining('is for a body'),
    ])
    const plain = await issuer.sign('https://board.example')
    expect((await post({ body: '{}', token: plain })).status, 'spent by any use').toBe(422)
    const replayed = await post({ body, token: plain })
    expect([replayed.status, replayed.json.detail]).toEqual([
      401,
      expect.stringContaining('used with another body'),
    ])
    expect(await server.db.episode.count()).toBe(0)
  })

  it('of another repository are not added to a run', async () => {
    await allow()
    await allow({ repositoryId: '4712' })
    const [half, whole] = [smallBundle({ episodes: 1 }), smallBundle({ episodes: 2 })]
    expect((await post({ body: half, token: await tokenFor(half) })).status).toBe(201)
    const claims = { repository_id: '4712' }
    for (const query of ['?dryRun=1', '']) {
      const forbidden = await post({ body: whole, query, token: await tokenFor(whole, claims) })
      expect([forbidden.status, forbidden.json.detail], query).toEqual([
        409,
        expect.stringContaining('belongs to another sender'),
      ])
    }
    expect((await post({ body: whole })).status, 'nor by a holder of a token').toBe(409)
    expect(await server.db.episode.count()).toBe(1)
    expect((await post({ body: whole, token: await tokenFor(whole) })).status).toBe(201)
  })

  it('wait for keys that cannot be had', async () => {
    const down = await LocalIssuer.start()
    vi.stubEnv('PROOFBOARD_OIDC_ISSUERS', down.url)
    settleEnv(process.cwd())
    down.broken = 503
    const token = await down.sign('https://board.example')
    const { status, json, headers } = await post({ body: smallBundle(), token })
    expect([status, json.code, headers.get('retry-after')]).toEqual([
      503,
      'issuer-unreachable',
      '30',
    ])
    await down.close()
  })
})
