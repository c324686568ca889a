import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { allowWorkflow } from '#lib/server/accounts/oidc-rules.ts'
import { type HostileTestServer, openTestServer } from '#lib/testing/corpora/hostile/test-server.ts'
import { makeRealRun, type RealRun } from '#lib/testing/corpora/real-run.ts'
import { smallBundle } from '#lib/testing/corpora/small-bundle.ts'
import { CONSOLE } from '#lib/testing/corpora/submit-body.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { LocalIssuer, WORKFLOW } from '#lib/testing/factories/local-issuer.ts'
import { lastJson, temporarySuite } from '#lib/testing/factories/proofboard-command.ts'

vi.setConfig({ testTimeout: 120_000 })

const NO_WORKFLOW = { ACTIONS_ID_TOKEN_REQUEST_URL: '', ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' }
let run: RealRun
let issuer: LocalIssuer
let ground: HostileTestServer
let dir: string
beforeAll(async () => {
  issuer = await LocalIssuer.start()
  run = await makeRealRun()
})
afterAll(async () => {
  await issuer.close()
  rmSync(run.dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'proofboard-submit-test-'))
  vi.stubEnv('PROOFBOARD_OIDC_ISSUERS', issuer.url)
  vi.stubEnv('PROOFBOARD_OIDC_AUDIENCE', 'https://board.example')
  ground = await openTestServer()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await ground.close()
  rmSync(dir, { recursive: true, force: true })
})

function submit(args: string[], env: Record<string, string> = {}, to = ground.url) {
  const whole = { ...NO_WORKFLOW, PROOFBOARD_TOKEN: ground.token, ...env }
  return proofboardHere(ground.dir, ['submit', ...args, '--to', to], whole)
}

const fileOf = (name: string, text: string) => {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}

describe('proofboard submit', () => {
  it('sends a run folder with its evidence, and the same bytes again are known', async () => {
    const first = await submit([run.folder, '--json'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const told = lastJson(first.stdout) as { submissions: { digest: string; runs: object[] }[] }
    expect(told).toMatchObject({ ok: true, auth: 'token', dryRun: false })
    expect(told.submissions).toMatchObject([
      { ok: true, status: 201, counts: { new: 2, duplicate: 0 }, runs: [{ runId: run.runId }] },
    ])
    const episodes = await ground.db.episode.findMany()
    for (const { directory } of episodes)
      expect(readdirSync(join(ground.dir, directory ?? 'nowhere')).length).toBeGreaterThan(1)
    const again = await submit([run.folder])
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain('everything is already stored')
    const submission = await ground.db.submission.findFirstOrThrow()
    expect(submission.bodyDigest).toBe(told.submissions[0]?.digest)
    const plain = await submit([run.folder, '--no-evidence'])
    expect(plain.stdout).toContain('0 new, 2 already stored')
  })

  it('is part of a run on request: the plan is registered before the first episode, the run sent at its end', async () => {
    temporarySuite(dir, 'small', ['lru-cache'])
    const args = ['run', '--suite', 'small', '--subject', 'reference', '--out', join(dir, 'out')]
    const env = { ...NO_WORKFLOW, PROOFBOARD_TOKEN: ground.token }
    const ended = await proofboardHere(dir, [...args, '--submit', ground.url, '--json'], env)
    expect(ended.code, ended.stderr).toBe(0)
    expect(lastJson(ended.stdout)).toMatchObject({ sealed: 1, board: null })
    expect(await ground.db.episode.count({ where: { provenance: 'token' } })).toBe(1)
    const entries = await ground.db.ledgerEntry.findMany({ orderBy: { sequence: 'asc' } })
    expect(entries.map(({ kind }) => kind)).toEqual(['register', 'include', 'seal-run'])
    const refused = await proofboardHere(dir, [...args, '--submit', 'http://127.0.0.1:9'], {
      ...NO_WORKFLOW,
      PROOFBOARD_TOKEN: '',
    })
    expect([refused.code, refused.stderr.trim().split('\n')]).toEqual([2, [expect.any(String)]])
  })

  it('keeps its run where the answer to its registration was lost: the same command goes on with it', async () => {
    temporarySuite(dir, 'small', ['lru-cache'])
    const lossy = await startLossy(ground.url)
    const args = ['run', '--suite', 'small', '--subject', 'nop', '--out', join(dir, 'lost')]
    const env = { ...NO_WORKFLOW, PROOFBOARD_TOKEN: ground.token }
    const first = await proofboardHere(dir, [...args, '--submit', lossy.url], env)
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('resume with: ')])
    const again = await proofboardHere(dir, [...args, '--submit', lossy.url], env)
    await lossy.close()
    expect(again.code, again.stderr).toBe(0)
    const entries = await ground.db.ledgerEntry.findMany({ orderBy: { sequence: 'asc' } })
    const actions = entries.map(({ action }) => JSON.parse(action))
    expect(actions.map(({ kind }) => kind)).toEqual(['register', 'include', 'seal-run'])
    expect(actions[0].runs).toEqual([{ runId: actions[1].target, shard: null }])
  })

  it('sends several files and folders of runs, each for itself', async () => {
    const runs = join(dir, 'runs')
    for (const name of ['a', 'b']) {
      mkdirSync(join(runs, name), { recursive: true })
      const runId = `run_several0${name}`
      writeFileSync(join(runs, name, 'result.json'), smallBundle({ runId }))
    }
    const edited = JSON.parse(smallBundle())
    edited.episodes[0].category = 'other'
    const bad = fileOf('bad.json', JSON.stringify(edited))
    const { code, stdout, stderr } = await submit([runs, bad])
    expect(code).toBe(1)
    expect(stdout.match(/Stored with provenance token: 2 new/g)).toHaveLength(2)
    expect(stderr).toMatch(/bad\.json: refused \(422, request [\w-]+\): Nothing was stored/)
    expect(stderr).toContain('  episodes.0.seal: the seal does not match')
    expect(await ground.db.run.count()).toBe(2)
  })

  it('asks what would be stored, and changes nothing', async () => {
    const { code, stdout } = await submit([fileOf('result.json', smallBundle()), '--dry-run'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Dry run: 2 new')])
    expect(stdout).not.toContain('/runs/')
    expect(await ground.db.run.count()).toBe(0)
  })

  it('vouches by the workflow’s own identity where it can, bound to the bytes that it sends', async () => {
    const { repository_id: repositoryId, repository_owner_id: repositoryOwnerId } = WORKFLOW
    const rest = { workflow: null, environment: null, events: null, plainAudience: false }
    const rule = {
      issuer: issuer.url,
      repositoryId,
      repositoryOwnerId,
      ref: 'refs/heads/*',
      ...rest,
    }
    await allowWorkflow(rule, { actor: CONSOLE, now: new Date() })
    const file = fileOf('result.json', smallBundle())
    const args = [file, '--audience', 'https://board.example', '--json']
    const sent = await submit(args, { ...issuer.workflowEnv, PROOFBOARD_TOKEN: '' })
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    expect(lastJson(sent.stdout)).toMatchObject({ auth: 'oidc', submissions: [{ status: 201 }] })
    const { claims, bodyDigest } = await ground.db.submission.findFirstOrThrow()
    expect(JSON.parse(claims ?? '{}')).toMatchObject({ repositoryId, boundBy: 'audience' })
    expect(bodyDigest).toMatch(/^sha256:/)
    const other = await submit([file, '--auth', 'token'], issuer.workflowEnv)
    expect(other.stdout).toContain('everything is already stored')
  })
})

describe('a submission that fails', () => {
  it('is sent again, the same bytes, when nothing answers or the server asks for a moment', async () => {
    const seen: string[] = []
    const flaky = await startFlaky(seen, ground.url)
    const { code, stdout, stderr } = await submit([fileOf('r.json', smallBundle())], {}, flaky.url)
    await flaky.close()
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 new')])
    expect(stderr).toContain('the server answered 503: trying again in 0 s')
    expect(stderr).toContain('cannot be reached')
    expect(seen).toHaveLength(3)
    expect(new Set(seen).size).toBe(1)
  })

  it('ends with 3 when there is no server', async () => {
    const file = fileOf('r.json', smallBundle())
    const { code, stderr } = await submit([file, '--tries', '1'], {}, 'http://127.0.0.1:9')
    expect([code, stderr]).toEqual([3, expect.stringContaining('ECONNREFUSED')])
    expect(stderr).toContain('Run the same command again')
  })

  it.each([
    ['without a token', [], { PROOFBOARD_TOKEN: '' }, 2, 'no token: set PROOFBOARD_TOKEN'],
    ['with an unknown one', [], { PROOFBOARD_TOKEN: `pb_${'x'.repeat(43)}` }, 1, 'refused (401'],
    ['as a workflow that is none', ['--auth', 'oidc'], {}, 2, 'id-token: write'],
    [
      'with a value that is not a number',
      ['--tries', 'many'],
      {},
      2,
      '--tries must be a whole number',
    ],
  ])('says so %s', async (_, args, env, code, words) => {
    const done = await submit(
      [fileOf('r.json', smallBundle()), ...args],
      env as Record<string, string>,
    )
    expect([done.code, done.stderr]).toEqual([code, expect.stringContaining(words)])
    expect(done.stderr.split('\n').length).toBeLessThanOrEqual(4)
    expect(await ground.db.run.count()).toBe(0)
  })

  it('follows no redirect: a token is for one place', async () => {
    const server = createServer((_, response) =>
      response.writeHead(308, { location: 'https://evil.example/' }).end(),
    )
    const url = await listen(server)
    const { code, stderr } = await submit([fileOf('r.json', '{}')], {}, url)
    expect([code, stderr]).toEqual([1, expect.stringContaining('points to https://evil.example/')])
    server.close()
  })

  it('prints no answer that a terminal would act on', async () => {
    const detail = '\u001b[2Jgone\u202e'
    const server = createServer((_, response) =>
      response
        .writeHead(422)
        .end(JSON.stringify({ detail, errors: [{ path: detail, message: detail }] })),
    )
    const { stderr } = await submit([fileOf('r.json', '{}')], {}, await listen(server))
    expect(stderr).toContain('⟨U+001B⟩[2Jgone⟨U+202E⟩')
    expect(/[\u202e\u200b]|(?!\n)\p{Cc}/u.test(stderr)).toBe(false)
    server.close()
  })
})

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Drops the first connection, rejects the second request, and forwards the rest; `seen` = digests of the bodies. */
async function startFlaky(seen: string[], to: string) {
  const server = createServer((incoming, response) => {
    void readAll(incoming).then((body) => {
      seen.push(createHash('sha256').update(body).digest('hex'))
      if (seen.length === 1) incoming.socket.destroy()
      else if (seen.length === 2) response.writeHead(503, { 'retry-after': '0' }).end()
      else handOn(incoming, body, response, to)
    })
  })
  const url = await listen(server)
  return { url, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** Forwards every request, but responds to the first with a refusal. */
async function startLossy(to: string) {
  let isFirst = true
  const server = createServer((incoming, response) => {
    const wasFirst = isFirst
    isFirst = false
    void readAll(incoming).then((body) => {
      if (!wasFirst) return handOn(incoming, body, response, to)
      const { method, headers, url } = incoming
      const asking = request(`${to}${url}`, { method, headers }, (reply) => {
        reply.resume().on('end', () => response.writeHead(400).end('{"detail":"lost"}'))
      })
      asking.end(body)
    })
  })
  const url = await listen(server)
  return { url, close: () => new Promise((resolve) => server.close(resolve)) }
}

function handOn(incoming: IncomingMessage, body: Buffer, response: ServerResponse, to: string) {
  const { method, headers, url } = incoming
  const asking = request(`${to}${url}`, { method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 0, reply.headers)
    reply.pipe(response)
  })
  asking.end(body)
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
