import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { type Episode, parseBundle } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { slot, writeEchoAgent } from '#lib/testing/factories/echo-agent.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  chmodSync(root, 0o755) // the agent may be another user
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

// Calls its model until it gets the final response, and writes the file that a response contains. Arguments change its
// behaviour.
const PROGRAM = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs')
const argv = process.argv.slice(2)
const has = (word) => argv.includes('--' + word)
const stay = () => new Promise(() => setInterval(() => {}, 1000))
async function run() {
  if (argv[0] === '--version') return console.log('v1.2.3')
  if (argv[0] === 'set-up') process.exit(has('fails') ? 3 : 0)
  if (has('silent')) return stay()
  for (;;) {
    const answer = await fetch(process.env.ECHO_URL + '/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.ECHO_KEY },
      body: JSON.stringify({ model: 'lab-model', messages: [{ role: 'user', content: 'work' }] }),
    })
    if (answer.status !== 200) process.exit(1)
    const { content } = (await answer.json()).choices?.[0]?.message ?? {}
    if (content === 'more') continue
    if (content) writeFileSync('lru-cache.ts', content)
    break
  }
  if (has('stays')) { process.on('SIGTERM', () => {}); await stay() }
}
run()
`

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown; holds?: boolean }
const say = (content: string): Answer => ({
  body: {
    model: 'lab-model',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  },
})
const refuse = (status: number, error: object, headers = {}): Answer => ({
  status,
  headers,
  body: { error },
})
const SOLUTION = readFileSync('exercises/typescript/lru-cache/.meta/honest/author-a.ts', 'utf8')

/** Serves a provider on loopback with the `answers` in order; further calls get the last one. */
async function serve(answers: readonly Answer[]) {
  let calls = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'GET') return void response.end('{"data":[{"id":"lab-model"}]}')
      const { status = 200, headers = {}, body, holds } = answers[calls] ?? answers.at(-1) ?? {}
      calls = Math.min(calls + 1, answers.length)
      if (holds) return
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => new Promise((done) => server.close(done).closeAllConnections())
  return { port: (server.address() as AddressInfo).port, close }
}

type Manners = { words?: string[]; before?: string[][] }

/** Runs this agent once on one task with that provider, and reads the sealed episode. */
async function run(
  answers: readonly Answer[],
  { words = [], before }: Manners,
  options: readonly string[] = [],
): Promise<{ episodes: Episode[]; stdout: string; stderr: string }> {
  const provider = await serve(answers)
  try {
    const agent = writeEchoAgent(root, {
      argv: ['run', ...words, slot('prompt')],
      ...(before && { before }),
      protocols: { 'openai-chat': { env: { ECHO_URL: slot('baseUrl'), ECHO_KEY: slot('key') } } },
      preferred: 'openai-chat',
      providers: { openai: { protocol: 'openai-chat' } },
    })
    writeFileSync(join(root, 'echo-agent.cjs'), PROGRAM)
    writeFileSync(join(root, 'agent.yaml'), agent)
    const baseUrl = `http://127.0.0.1:${provider.port}/v1`
    const lab = { title: 'Lab', protocols: { 'openai-chat': { baseUrl } } }
    const known = { schemaVersion: 1, providers: { lab } }
    writeFileSync(join(root, 'providers.yaml'), stringify(known))
    const who = ['--agent-file', join(root, 'agent.yaml'), '--model', 'lab-model']
    const where = ['--provider', 'lab', '--provider-file', join(root, 'providers.yaml')]
    const what = ['--suite', 'typescript', '--out', join(root, 'out'), '--isolation', 'local']
    const tasks = options.includes('--tasks') ? [] : ['--tasks', 'lru-cache']
    const args = ['run', ...who, ...where, ...what, ...tasks, ...options]
    const { code, stdout, stderr } = await proofboardHere(join(root, 'data'), args)
    if (code === 2) throw new Error(stderr)
    const file = readFileSync(join(root, 'out', 'result.json'), 'utf8')
    const bundle = parseBundle(JSON.parse(file))
    return { episodes: bundle.ok ? (bundle.value.episodes as Episode[]) : [], stdout, stderr }
  } finally {
    await provider.close()
  }
}

describe('an attempt is charged to the side that ended it', () => {
  it.each<[string, readonly Answer[], Manners, object]>([
    [
      'a parameter that the provider does not take, from the first call on',
      [refuse(400, { type: 'invalid_request_error', message: "'max_tokens' is not supported" })],
      {},
      {
        status: 'void',
        cause: 'never-answered',
        reason: expect.stringContaining("400: 'max_tokens' is not supported"),
      },
    ],
    ['a refused key', [refuse(401, {})], {}, { status: 'void', cause: 'never-answered' }],
    [
      'a request that is refused after a turn',
      [say('more'), refuse(400, { type: 'invalid_request_error', message: 'no' })],
      {},
      { status: 'subject-crashed' },
    ],
    ['a timeout of a proxy', [refuse(408, {})], {}, { status: 'void', fault: 'provider' }],
    [
      'an error inside a 200',
      [{ body: { error: { code: 502, message: 'upstream' } } }],
      {},
      { status: 'void', fault: 'provider' },
    ],
    [
      'an empty answer without tokens',
      [{ body: { choices: [{ message: { content: '' }, finish_reason: 'stop' }] } }],
      {},
      { status: 'void', fault: 'provider' },
    ],
    [
      'a prompt that is too long, dressed as 500',
      [say('more'), refuse(500, { message: 'maximum context length is 8192 tokens' })],
      {},
      { status: 'subject-crashed' },
    ],
    [
      'a set-up command of the agent that fails',
      [say(SOLUTION)],
      { before: [['set-up', '--fails']] },
      { status: 'void', cause: 'setup-failed' },
    ],
  ])('%s', async (_what, answers, manners, outcome) => {
    const { episodes } = await run(answers, manners)
    expect(episodes.at(-1)?.outcome).toMatchObject(outcome)
  })

  it.each<[string, readonly Answer[], Manners, object]>([
    ['that never asks', [say(SOLUTION)], { words: ['--silent'] }, { cause: 'never-asked' }],
    ['that waits for its model', [{ holds: true }], {}, { budget: 'time', during: 'waiting' }],
    [
      'that stays after its final answer, and ignores SIGTERM',
      [say(SOLUTION)],
      { words: ['--stays'] },
      { status: 'solved' },
    ],
  ])('a time limit ends an agent %s', async (_what, answers, manners, outcome) => {
    const { episodes } = await run(answers, manners, ['--timeout', '5'])
    expect(episodes.at(-1)?.outcome).toMatchObject(outcome)
    if (manners.words?.includes('--stays'))
      expect(episodes[0]?.effort.lingeredMs).toBeGreaterThan(1000)
  })
})

describe('a run whose agent does not come to work', () => {
  it('stops after three attempts in a row, uses up no slot, and says what to change', async () => {
    const refusal = refuse(400, { type: 'invalid_request_error', message: 'no such parameter' })
    const { episodes, stdout, stderr } = await run([refusal], {}, [
      ...['--tasks', 'lru-cache,csv-parser,rate-limiter,async-queue'],
      ...['--repetitions', '2', '--concurrency', '1'],
    ])
    expect(episodes).toHaveLength(3)
    expect(new Set(episodes.map(({ taskId, repetition }) => `${taskId} ${repetition}`)).size).toBe(
      3,
    )
    expect(stderr).toContain('no such parameter')
    expect(stdout).toContain('resume with')
  })
})

describe('a provider that says when to come back', () => {
  it('pauses the run, keeps its slots, and goes on by itself', async () => {
    const limited = refuse(429, { type: 'rate_limit_error' }, { 'retry-after': '12' })
    const { episodes, stderr } = await run([limited, say(SOLUTION)], {})
    const [first, second] = episodes
    expect(first?.outcome).toMatchObject({ status: 'void', cause: 'rate-limited' })
    expect(second?.outcome).toEqual({ status: 'solved' })
    const retryAt = first?.outcome.status === 'void' ? first.outcome.retryAt : undefined
    expect(Date.parse(second?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(retryAt ?? ''))
    expect(stderr).toContain('paused until')
  })
})
