import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseBundle } from '#lib/domain/record/index.ts'
import { slot } from '#lib/testing/factories/echo-agent.ts'
import { writeFakeAgent } from '#lib/testing/factories/fake-agent.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'

const TOKEN = 'subscriber-token-5d1f0c7a'
const ANSWER = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude-x-1',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: 'done' }],
  usage: { input_tokens: 7, output_tokens: 3 },
}

let root: string
let vendor: Server
let heard: IncomingHttpHeaders[]
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  chmodSync(root, 0o755) // the agent may be another user
  heard = []
  vendor = createServer((request, response) => {
    heard.push(request.headers)
    request.resume().on('end', () => response.end(JSON.stringify(ANSWER)))
    response.setHeader('content-type', 'application/json')
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await new Promise((resolve) => vendor.close(resolve))
  rmSync(root, { recursive: true, force: true })
})

/** Logs in if asked to; otherwise prints its input and calls its model once. */
const SCRIPT = `
if [ "$1" = login ]; then
  mkdir -p "$HOME/.echo"; echo '{"oauth":{"token":"${TOKEN}","expires":'"$EXPIRES"'}}' > "$HOME/.echo/auth.json"
  echo junk > "$HOME/history"; exit 0
fi
env; cat "$HOME/.echo/auth.json" 2>/dev/null
node -e '
fetch(process.env.ECHO_URL + "/v1/messages", { method: "POST", headers: { authorization: "Bearer " + process.env.ECHO_TOKEN,
  "content-type": "application/json" }, body: JSON.stringify({ model: "claude-x-1", messages: [] }) }).then((a) => a.text()).then(console.log)'
`
const SECRET = { file: '.echo/auth.json', member: 'oauth.token', before: 'Bearer ' }

function agent(changes: Record<string, unknown> = {}, expires = Date.now() + 3_600_000): string {
  const { port } = vendor.address() as AddressInfo
  const place = join(root, 'program')
  mkdirSync(place, { recursive: true })
  return writeFakeAgent(place, SCRIPT, {
    login: {
      title: 'Echo Plus',
      argv: ['login'],
      env: { EXPIRES: String(expires) },
      keeps: ['.echo/auth.json'],
      provider: 'anthropic',
      gateway: {
        protocol: 'anthropic',
        baseUrl: `http://127.0.0.1:${port}`,
        headers: { authorization: SECRET },
        expires: { file: '.echo/auth.json', member: 'oauth.expires' },
      },
      setup: { env: { ECHO_URL: slot('baseUrl'), ECHO_TOKEN: slot('key') } },
      ...changes,
    },
  })
}

const start = (...args: string[]) =>
  startProofboard(join(root, 'data'), args, { ANTHROPIC_API_KEY: '' }).ended
const run = (file: string, ...more: string[]) =>
  start(
    ...['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--agent-file', file, '--json'],
    ...[
      '--model',
      'claude-x-1',
      '--isolation',
      'local',
      '--out',
      join(root, 'out'),
      '--login',
      ...more,
    ],
  )
const read = (path: string) => readFileSync(join(root, 'out', path), 'utf8')

function sealed() {
  const parsed = parseBundle(JSON.parse(read('result.json')))
  const [episode] = parsed.ok ? parsed.value.episodes : []
  if (!parsed.ok || !episode) throw new Error('nothing was sealed')
  return { plan: parsed.value.plan, ...episode }
}

describe('a run with a login', () => {
  it('shows the login to the provider and a dummy to the agent, and costs nothing by the call', async () => {
    const file = agent()
    const login = await start('agents', 'login', 'echo', '--agent-file', file)
    expect([login.code, login.stderr]).toEqual([0, ''])
    const profile = join(root, 'data', 'logins', 'echo')
    expect(statSync(join(root, 'data', 'logins')).mode & 0o777).toBe(0o700)
    expect([
      existsSync(join(profile, '.echo/auth.json')),
      existsSync(join(profile, 'history')),
    ]).toEqual([true, false])
    const { code, stderr, stdout } = await run(file, '--record')
    expect(code, stderr).toBe(0)
    expect(heard.map(({ authorization }) => authorization)).toEqual([`Bearer ${TOKEN}`])
    const episode = sealed()
    expect(episode.plan.settings.login).toBe('subscription')
    expect(episode.usage).toMatchObject({
      costMicroUsd: null,
      costSources: { flat: 1 },
      tokens: { input: 7, output: 3 },
    })
    const log = read('episodes/lru-cache/r1-a1/subject.log')
    expect(log).toContain('ECHO_TOKEN=')
    for (const text of [
      log,
      read('result.json'),
      read('plan.json'),
      read('episodes/lru-cache/r1-a1/recording.json'),
      stdout,
      stderr,
    ])
      expect(text).not.toContain(TOKEN)
    expect(lastJson(stdout).sealed).toBe(1)
  })

  it('hands the files to an agent that nothing can stand beside, and redacts them', async () => {
    const file = agent({ gateway: null, setup: {} })
    await start('agents', 'login', 'echo', '--agent-file', file)
    const { code, stderr } = await run(file)
    expect(code, stderr).toBe(0)
    expect(sealed().usage).toBeNull()
    const log = read('episodes/lru-cache/r1-a1/subject.log')
    expect(log).toContain('"oauth"')
    expect(log).not.toContain(TOKEN)
  })

  it.each<[string, (file: string) => Promise<unknown>, string[], RegExp]>([
    [
      'no login',
      async () => {},
      [],
      /^echo is not logged in to Echo Plus here: proofboard agents login echo$/,
    ],
    [
      'a cost was to be limited',
      async () => {},
      ['--max-cost', '1'],
      /^a subscription has no price per call, so --max-cost/,
    ],
    ['another provider was asked for', async () => {}, ['--provider', 'openai'], /openai/],
    [
      'the login is over',
      (file) => start('agents', 'login', 'echo', '--agent-file', file),
      [],
      /^the login of echo ended at .*: proofboard agents login echo$/,
    ],
  ])('is refused before anything is sent when %s', async (_, before, more, sentence) => {
    const file = agent({}, 1000)
    await before(file)
    const { code, stderr } = await run(file, ...more)
    expect(stderr.trim()).toMatch(sentence)
    expect([code, heard, existsSync(join(root, 'out'))]).toEqual([2, [], false])
  })
})
