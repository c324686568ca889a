import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeDatabase } from '#lib/db/database.ts'
import { writeAudience } from '#lib/domain/accounts/index.ts'
import { type Board, boardSchema } from '#lib/domain/board/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { settleEnv } from '#lib/env.ts'
import { addToken } from '#lib/server/accounts/tokens.ts'
import { CONSOLE } from '#lib/testing/corpora/submit-body.ts'
import { type Copy, startCopy, waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { LocalIssuer, WORKFLOW } from '#lib/testing/factories/local-issuer.ts'
import {
  lastJson,
  startProofboard,
  temporarySuite,
} from '#lib/testing/factories/proofboard-command.ts'

const TASKS = ['lru-cache', 'glob-matcher']
/** `npm run prove:ci` runs all of it; `npm run test:all` uses two shards and does not repeat it with a token. */
const isWhole = process.env.PROOFBOARD_PROVE_CI === '1'
const REPETITIONS = isWhole ? 4 : 1
const EPISODES = TASKS.length * REPETITIONS

let folder: string
let issuer: LocalIssuer
let copy: Copy
/** The server's own address, which is the audience of tokens. */
let board: string

/** Starts Proofboard as `npm start` does; it trusts a local issuer and one repository of it. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-prove-'))
  temporarySuite(join(folder, 'runner'), 'small', TASKS)
  issuer = await LocalIssuer.start()
  const settings = {
    PROOFBOARD_OIDC_ISSUERS: issuer.url,
    PROOFBOARD_FIRST_RUNS: '0',
    PROOFBOARD_CHROMIUM: 'none',
  }
  copy = await startCopy(settings, async (dataDir) => temporarySuite(dataDir, 'small', TASKS))
  board = copy.url.replace('127.0.0.1', 'localhost')
  const rule = [
    ['--repository-id', WORKFLOW.repository_id],
    ['--owner-id', WORKFLOW.repository_owner_id],
    ['--ref', 'refs/heads/main'],
    ['--issuer', issuer.url],
  ].flat()
  const allowed = await startProofboard(copy.dataDir, ['oidc', 'allow', ...rule], settings).ended
  expect(allowed.code, allowed.stderr).toBe(0)
})
afterAll(async () => {
  await copy?.stop()
  await issuer?.close()
  rmSync(folder, { recursive: true, force: true })
})

type Settings = { subject: string; shards: number; auth: 'oidc' | 'token'; secret?: string }
type HandIn = { runId: string; merged: string; printed: string }

/** Runs the commands of benchmark.yml in order: plan, shards, register, run each shard, merge, submit. */
async function handIn(name: string, { subject, shards, auth, secret }: Settings): Promise<HandIn> {
  const place = join(folder, name)
  mkdirSync(place)
  const [plan, merged] = [join(place, 'plan.json'), join(place, 'merged')]
  const proofboard = async (args: string[], env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await startProofboard(join(folder, 'runner'), args, env).ended
    expect(code, `${args.join(' ')}\n${stderr}`).toBe(0)
    return stdout
  }
  const env = secret ? { PROOFBOARD_TOKEN: secret } : issuer.workflowEnv
  const to = ['--to', board, '--auth', auth]
  const command = ['--suite=small', `--subject=${subject}`, `--repetitions=${REPETITIONS}`]
  await proofboard(['plan', ...command, '--out', plan])
  const outputs = await proofboard(['shards', plan, `--count=${shards}`])
  const runId = /^run-id=(\S+)$/m.exec(outputs)?.[1] ?? ''
  const run = ['--plan', plan, '--run-id', runId]
  const outputFile = join(place, 'output')
  await proofboard(
    ['plan', '--register', ...run, '--again', ...to, '--output-file', outputFile],
    env,
  )
  const [, hash = ''] = readFileSync(outputFile, 'utf8').trim().split('registration=')
  for (let shard = 1; shard <= shards; shard++) {
    const out = join(place, 'shards', String(shard))
    const part = ['--shard', `${shard}/${shards}`, '--registration', hash, '--out', out]
    await proofboard(['run', ...run, ...part])
  }
  await proofboard(['merge', join(place, 'shards'), '--out', merged])
  return { runId, merged, printed: await proofboard(['submit', merged, ...to], env) }
}

function findRow(subject: string): Promise<Board['rows'][number]> {
  return waitUntil(`the row of ${subject}`, async () => {
    const response = await fetch(`${copy.url}/api/v1/leaderboard?suite=small`)
    if (!response.ok) return null
    const { rows } = boardSchema.parse(await response.json())
    return rows.find((row) => row.subject.name === subject) ?? null
  })
}

const send = (body: Uint8Array<ArrayBuffer>, token: string) =>
  fetch(`${copy.url}/api/v1/results`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })

describe('plan, shards, merge, hand-in as the workflow that ran them', () => {
  let sent: HandIn
  const merged = () => sent.merged
  const bytes = () => new Uint8Array(readFileSync(join(merged(), 'result.json')))
  const tokenFor = (of: LocalIssuer, audience: string, claims: Record<string, unknown> = {}) =>
    of.sign(writeAudience(audience, digestBytes(bytes())), { claims })

  it('makes a row on the board, vouched for by the workflow', async () => {
    sent = await handIn('oidc', { subject: 'flaky', shards: EPISODES, auth: 'oidc' })
    expect(sent.printed).toContain(
      `Stored with provenance oidc: ${EPISODES} new, 0 already stored.`,
    )
    const row = await findRow('flaky')
    expect(row).toMatchObject({ provenance: 'oidc', label: 'scaffold', plannedEpisodes: EPISODES })
    expect(row.success.attempts).toBe(EPISODES)
    expect(row.registration).toMatchObject({ status: 'registered', owed: 1, received: 1 })
    expect(row.runIds).toEqual([sent.runId])
  })

  it('shows the same figures as the check of the result', async () => {
    const { rows } = lastJson(
      (
        await startProofboard(join(folder, 'runner'), [
          ...['check', join(merged(), 'result.json'), '--as', 'oidc', '--json'],
        ]).ended
      ).stdout,
    ) as { rows: { success: unknown }[] }
    const { success } = await findRow('flaky')
    expect(rows).toMatchObject([{ success }])
  })

  it('is stored once when the job is run again', async () => {
    const again = await startProofboard(
      join(folder, 'runner'),
      ['submit', merged(), '--to', board, '--auth', 'oidc'],
      issuer.workflowEnv,
    ).ended
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining(`0 new, ${EPISODES} already stored`),
    ])
    expect((await findRow('flaky')).success.attempts).toBe(EPISODES)
  })

  it('is refused under a token that is forged, for another audience or other bytes, or unknown', async () => {
    const forger = await LocalIssuer.start()
    const cases = {
      forged: [await tokenFor(forger, board, { iss: issuer.url }), 401],
      'of an issuer that is not trusted': [await tokenFor(forger, board), 401],
      'for another board': [await tokenFor(issuer, 'https://elsewhere.example'), 401],
      'of another repository': [await tokenFor(issuer, board, { repository_id: '99' }), 403],
      'of a repository that was sold': [
        await tokenFor(issuer, board, { repository_owner_id: '43' }),
        403,
      ],
      'of a pull request': [await tokenFor(issuer, board, { event_name: 'pull_request' }), 403],
    } as const
    for (const [name, [token, status]] of Object.entries(cases))
      expect((await send(bytes(), token)).status, name).toBe(status)
    const other = new TextEncoder().encode('{"kind":"proofboard-result"}')
    const replayed = await tokenFor(issuer, board)
    expect((await send(bytes(), replayed)).status, 'the same body again').toBe(200)
    expect((await send(other, replayed)).status, 'replayed with another body').toBe(401)
    await forger.close()
    expect((await findRow('flaky')).success.attempts).toBe(EPISODES)
  })

  it('is not uploaded by a job that may not say who it is', async () => {
    const { ACTIONS_ID_TOKEN_REQUEST_URL: _, ...less } = issuer.workflowEnv
    const dumb = ['submit', merged(), '--to', board, '--auth', 'oidc']
    const { code, stderr } = await startProofboard(folder, dumb, less).ended
    expect([code, stderr]).toEqual([2, expect.stringContaining('id-token: write')])
  })
})

/** Creates a token as an administrator does for a machine without an identity. */
async function makeToken(): Promise<string> {
  vi.stubEnv('PROOFBOARD_DATA_DIR', copy.dataDir)
  settleEnv(process.cwd())
  const order = { name: 'ci', scopes: ['results:write'] as const, days: 1 }
  const secret = await addToken(order, { actor: CONSOLE, now: new Date() })
  await closeDatabase()
  vi.unstubAllEnvs()
  return secret
}

describe('hand-in with an upload token', { tags: 'prove-ci' }, () => {
  it('makes a row of its own level', async () => {
    const secret = await makeToken()
    await handIn('token', { subject: 'reference', shards: 2, auth: 'token', secret })
    expect(await findRow('reference')).toMatchObject({ provenance: 'token' })
  })
})
