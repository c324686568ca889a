import { createHmac } from 'node:crypto'
import { base64url } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeDatabase, migrateDatabase } from '#lib/db/database.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { settleEnv } from '#lib/env.ts'
import { LocalIssuer, WORKFLOW } from '#lib/testing/factories/local-issuer.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { KeyRing } from './issuer-keys.ts'
import { allowWorkflow, listRules, removeRule } from './oidc-rules.ts'
import { bindToken, requireWorkflow } from './require-workflow.ts'

const AUDIENCE = 'https://board.example'
const BODY = digestBytes('the body')
const FOR_BODY = `${AUDIENCE}#sha256=${BODY.slice(7)}`
const CONSOLE = { kind: 'console', id: null, name: 'console' } as const
const by = { actor: CONSOLE, now: new Date() }

let issuer: LocalIssuer
let temporary: TemporaryDatabase
let keys: KeyRing
beforeAll(async () => {
  issuer = await LocalIssuer.start()
})
afterAll(() => issuer.close())
beforeEach(async () => {
  temporary = await temporaryDatabase()
  vi.stubEnv('PROOFBOARD_DATA_DIR', temporary.dir)
  vi.stubEnv('PROOFBOARD_LOG_LEVEL', 'silent')
  vi.stubEnv('PROOFBOARD_OIDC_ISSUERS', issuer.url)
  vi.stubEnv('PROOFBOARD_OIDC_AUDIENCE', AUDIENCE)
  settleEnv(process.cwd())
  await migrateDatabase()
  keys = new KeyRing({ timeoutMs: 2000, cooldownMs: 0, maxAgeMs: 60_000 })
})
afterEach(async () => {
  await closeDatabase()
  vi.unstubAllEnvs()
  await temporary.close()
  issuer.broken = null
})

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
    by,
  )
const enter = (token: string, ring = keys) => requireWorkflow(token, new Date(), ring)
const claim = async (claims: object) =>
  enter(await issuer.sign(FOR_BODY, { claims: claims as Record<string, unknown> }))
async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  return work.then(
    () => ({ code: 'accepted', message: '' }),
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  )
}

describe('a workflow that a rule allows', () => {
  it('is accepted, and its claims are reported unchanged', async () => {
    await allow()
    const admitted = await enter(await issuer.sign(FOR_BODY))
    expect(admitted.actor).toEqual({
      kind: 'workflow',
      id: `${issuer.url} 4711`,
      name: 'acme/bench run 9001',
      account: `owner:${issuer.url} ${WORKFLOW.repository_owner_id}`,
    })
    expect(await bindToken(admitted, BODY, new Date())).toMatchObject({
      repositoryId: '4711',
      sha: WORKFLOW.sha,
      runId: '9001',
      boundBy: 'audience',
    })
  })

  it('stays let in when its repository is renamed, and its name taken by another is not', async () => {
    await allow({ workflow: '.github/workflows/bench.yml' })
    const renamed = {
      repository: 'acme/arena',
      job_workflow_ref: 'acme/arena/.github/workflows/bench.yml@refs/heads/main',
    }
    expect((await claim(renamed)).claims.repository).toBe('acme/arena')
    expect(await refusal(claim({ repository_id: '9999' }))).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('repository id 9999 is not allowed'),
    })
    expect(await refusal(claim({ repository_owner_id: '43' }))).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('owner id 43 now'),
    })
  })

  it.each([
    ['another branch', { ref: 'refs/heads/topic' }, 'ref refs/heads/topic is not'],
    ['a tag', { ref: 'refs/tags/main' }, 'ref refs/tags/main is not'],
    ['a pull request', { event_name: 'pull_request' }, 'may run the code of a fork'],
    ['a target of one', { event_name: 'pull_request_target' }, 'may run the code of a fork'],
    ['a merge ref', { ref: 'refs/pull/7/merge' }, 'may be a fork'],
    ['what follows on a fork', { event_name: 'workflow_run' }, 'event workflow_run is not one of'],
    [
      'another workflow',
      { job_workflow_ref: 'acme/bench/.github/workflows/x.yml@refs/heads/main' },
      'is not .github',
    ],
    [
      'a workflow of another repository',
      { job_workflow_ref: 'eve/bench/.github/workflows/bench.yml@x' },
      'is not .github',
    ],
    ['no environment', {}, 'environment none is not production'],
  ])('is refused from %s', async (_, claims, why) => {
    const environment = why.startsWith('environment') ? 'production' : null
    await allow({ workflow: '.github/workflows/bench.yml', environment })
    const { code, message } = await refusal(claim(claims))
    expect([code, message]).toEqual(['forbidden', expect.stringContaining(why)])
  })

  it('is refused while no rule allows it, and again when the rule is removed', async () => {
    const { code, message } = await refusal(claim({ ref: 'refs/heads/$(reboot)' }))
    expect(code).toBe('forbidden')
    expect(message).toContain('no workflows are allowed yet')
    expect(message).toContain('--repository-id 4711 --owner-id 42 --ref <ref>')
    const id = await allow()
    await claim({})
    await removeRule(id, by)
    expect((await refusal(claim({}))).code).toBe('forbidden')
    expect(await listRules()).toEqual([])
    const audit = await temporary.db.auditEntry.findMany({ orderBy: { id: 'asc' } })
    expect(audit.map(({ action, target }) => [action, target])).toEqual([
      ['oidc.allow', id],
      ['oidc.remove', id],
    ])
  })
})

describe('a token', () => {
  beforeEach(() => allow())

  it.each([
    ['that has expired', { issuedIn: -600, expiresIn: -61 }, 'has expired'],
    ['of tomorrow', { issuedIn: 120, expiresIn: 600 }, 'is not valid yet'],
    ['without an end in sight', { expiresIn: 30 * 86_400 }, 'longer than a day'],
    [
      'of an unknown issuer',
      { claims: { iss: 'https://evil.example' } },
      'not a trusted issuer of this server',
    ],
    [
      'for another audience',
      { claims: { aud: 'https://other.example' } },
      'is for "https://other.example"',
    ],
    [
      'for two',
      { claims: { aud: [FOR_BODY, 'https://other.example'] } },
      'lacks required claims: aud',
    ],
    ['for a digest that is none', { claims: { aud: `${AUDIENCE}#sha256=abc` } }, 'is for'],
    ['without ids', { claims: { repository_id: undefined } }, 'repository_id'],
    ['without a name of its own', { claims: { jti: undefined } }, 'jti'],
    ['with an unknown key', { header: { kid: 'nobody' } }, 'an unknown key'],
    [
      'with a key that it brings along',
      { header: { kid: 'x', jku: 'https://evil.example/k' } },
      'signed with an unknown key',
    ],
  ])('%s is refused', async (_, order, why) => {
    const { code, message } = await refusal(enter(await issuer.sign(FOR_BODY, order as object)))
    expect([code, message]).toEqual(['unauthorised', expect.stringContaining(why)])
  })

  it('is believed a minute longer, since clocks differ', async () => {
    await enter(await issuer.sign(FOR_BODY, { issuedIn: -600, expiresIn: -50 }))
    await enter(await issuer.sign(FOR_BODY, { issuedIn: 50, expiresIn: 600 }))
  })

  it('without a signature, or signed with the public key as a secret, is refused', async () => {
    const [, payload] = (await issuer.sign(FOR_BODY)).split('.')
    const head = (header: object) => base64url.encode(JSON.stringify(header))
    for (const alg of ['none', 'None', 'NONE']) {
      const bare = `${head({ alg, typ: 'JWT' })}.${payload}.`
      expect((await refusal(enter(bare))).code, alg).toBe('unauthorised')
    }
    const confused = `${head({ alg: 'HS256', typ: 'JWT', kid: issuer.kid })}.${payload}`
    const mac = createHmac('sha256', await issuer.publicPem())
      .update(confused)
      .digest('base64url')
    expect((await refusal(enter(`${confused}.${mac}`))).code).toBe('unauthorised')
  })

  it('changed after it was signed is refused, and one far too long is not even read', async () => {
    const [head, payload, signature] = (await issuer.sign(FOR_BODY)).split('.')
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
    const other = base64url.encode(
      JSON.stringify({ ...claims, ref: 'refs/heads/main', run_id: '1' }),
    )
    const changed = await refusal(enter(`${head}.${other}.${signature}`))
    expect(changed).toMatchObject({
      code: 'unauthorised',
      message: expect.stringContaining('not signed'),
    })
    const fetches = issuer.keyFetches
    const long = await issuer.sign(FOR_BODY, { claims: { padding: 'x'.repeat(9000) } })
    expect((await refusal(enter(long))).message).toContain('longer than any')
    expect(issuer.keyFetches).toBe(fetches)
  })

  it('of a new key is accepted once the issuer lists it; of a withdrawn key, no more', async () => {
    const before = await issuer.sign(FOR_BODY)
    await enter(before)
    await issuer.rotate({ keepOld: false })
    await enter(await issuer.sign(FOR_BODY))
    expect((await refusal(enter(before))).code).toBe('unauthorised')
  })

  it('cannot be checked while the keys cannot be fetched: the message says so, and access is refused', async () => {
    issuer.broken = 500
    const { code, message } = await refusal(enter(await issuer.sign(FOR_BODY)))
    expect([code, message]).toEqual(['issuer-unreachable', expect.stringContaining('try again')])
    issuer.broken = null
    await enter(await issuer.sign(FOR_BODY))
  })

  it('remembers a failed fetch of keys or of the description for a while', async () => {
    issuer.broken = 500
    const ring = new KeyRing({ timeoutMs: 2000, cooldownMs: 60_000, maxAgeMs: 60_000 })
    const fetches = issuer.keyFetches
    const token = await issuer.sign(FOR_BODY)
    for (let time = 0; time < 3; time++)
      expect((await refusal(enter(token, ring))).code).toBe('issuer-unreachable')
    expect(issuer.keyFetches).toBe(fetches + 1)
    issuer.broken = null
    expect((await refusal(enter(token, ring))).code).toBe('issuer-unreachable')
    const later = new KeyRing({ timeoutMs: 2000, cooldownMs: 1, maxAgeMs: 60_000 })
    issuer.broken = 500
    expect((await refusal(enter(token, later))).code).toBe('issuer-unreachable')
    issuer.broken = null
    await new Promise((resolve) => setTimeout(resolve, 5))
    await enter(token, later)
  })

  it('without a payload is taken only where a rule says so, and then for its first body alone', async () => {
    const plain = await issuer.sign(AUDIENCE)
    expect((await refusal(enter(plain))).message).toContain('does not name the payload')
    await allow({ plainAudience: true })
    const admitted = await enter(plain)
    const at = new Date()
    expect((await bindToken(admitted, BODY, at)).boundBy).toBe('first-use')
    expect((await bindToken(admitted, BODY, at)).boundBy).toBe('first-use')
    const other = await refusal(bindToken(admitted, digestBytes('another body'), at))
    expect(other).toMatchObject({
      code: 'unauthorised',
      message: expect.stringContaining('used with another body'),
    })
  })

  it('is for the body whose digest it names, and forgotten when it could not come again', async () => {
    const admitted = await enter(await issuer.sign(FOR_BODY))
    const wrong = await refusal(bindToken(admitted, digestBytes('another body'), new Date()))
    expect(wrong).toMatchObject({
      code: 'unauthorised',
      message: expect.stringContaining('is for a body'),
    })
    expect(await temporary.db.spentToken.count()).toBe(0)
    await bindToken(admitted, BODY, new Date())
    expect(await temporary.db.spentToken.count()).toBe(1)
    const later = new Date(Date.now() + 3_600_000)
    const next = await enter(await issuer.sign(FOR_BODY))
    await bindToken(next, BODY, later)
    expect(await temporary.db.spentToken.count()).toBe(1)
  })
})
