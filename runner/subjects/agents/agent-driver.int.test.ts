import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import {
  sampleProviderFailure,
  sampleReport,
  sampleTask,
} from '#lib/testing/factories/agent-samples.ts'
import { echoAgent, slot } from '#lib/testing/factories/echo-agent.ts'
import { runSubject } from '../../engine/run-subject.ts'
import { prepareWorkspace } from '../../engine/workspace.ts'
import type { AttemptGateway } from '../../gateway/model-access.ts'
import { secretFinder } from '../../redact/find-secrets.ts'
import { local } from '../../sandbox/isolation/local.ts'
import { CappedLog } from '../../sandbox/process/capped-log.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import type { SubjectContext } from '../subject-driver.ts'
import { agentDriver } from './agent-driver.ts'
import { buildPrompt } from './prompt.ts'

type OpenGateway = (attempt: SubjectContext) => Promise<AttemptGateway>

let root: string
let log: CappedLog
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  chmodSync(root, 0o755) // the agent may be another user
  log = new CappedLog(join(root, 'subject.log'), 1 << 20, secretFinder(['the-real-key']))
})
afterEach(() => {
  log.close()
  rmSync(root, { recursive: true, force: true })
})

const HOSTILE = `\${prompt} \${key} $HOME \`id\` $(id) "double" 'single' \\ back\n\r\n\ttab; rm -rf / # é 名前 🚀 \u202e`

/** Opens a real server on loopback in place of the gateway, and records the attempts it was opened for. */
function openServer(report = sampleReport()) {
  const attempts: SubjectContext[] = []
  const state = { closed: 0 }
  const open: OpenGateway = async (attempt) => {
    attempts.push(attempt)
    const server = createServer((_, response) => response.writeHead(400).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      dummyKey: 'dummy-key',
      socket: null,
      report: () => report,
      onStep: () => {},
      toolSteps: () => [],
      calls: () => [],
      recording: async () => null,
      transcript: null,
      activation: () => undefined,
      close: async () => {
        state.closed += 1
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }
  return { open, attempts, state }
}

async function takeTurn(instructions: string): Promise<{ turn: SubjectContext; told: () => Told }> {
  const task = sampleTask(root, instructions)
  const place = await prepareWorkspace(task, root)
  const context: SubjectContext = {
    ...place,
    task,
    repetition: 1,
    settings: {
      timeoutMs: 20_000,
      maxSteps: 5,
      maxTokens: 1000,
      maxCostMicroUsd: 2000,
      temperature: 0,
      isolation: 'local',
      diskQuotaBytes: 64 << 20,
      maxAttempts: 1,
      seed: 1,
    },
    isolation: local,
    marker: `test-${process.pid}-${Math.random().toString(36).slice(2)}`,
    runMark: 'run_test-1',
    log,
    signal: new AbortController().signal,
  }
  return {
    turn: context,
    told: () => JSON.parse(readFileSync(join(place.temporary, 'told.json'), 'utf8')),
  }
}

type Told = {
  argv: string[]
  stdin: string
  files: Record<string, string>
  env: Record<string, string>
}

function driverOf(
  definition: AgentDefinition,
  openGateway: OpenGateway | null,
  name = 'anthropic',
) {
  const protocol = definition.providers[name]?.protocol ?? null
  return agentDriver({
    definition,
    subject: {
      kind: 'agent',
      name: definition.name,
      version: '1.2.3',
      adapterVersion: '1',
      provider: name,
      modelRequested: 'claude-x-1',
    },
    provider: { name, protocol },
    found: { binary: definition.binary, node: null },
    login: null,
    key: 'the-real-key',
    env: RUNNER_ENV,
    openGateway,
    mode: 'live',
  })
}

describe('an agent gets its prompt unchanged', () => {
  const WAYS = {
    argument: {},
    stdin: { prompt: 'stdin', argv: ['-m', slot('model')] },
    file: { prompt: 'file', argv: ['-m', slot('model'), slot('promptFile')] },
  } as const

  it.each(['argument', 'stdin', 'file'] as const)('by %s', async (way) => {
    const { turn: context, told } = await takeTurn(HOSTILE)
    const { text, version, digest } = buildPrompt(context.task)
    expect(text).toContain(HOSTILE)
    const driver = driverOf(echoAgent(root, WAYS[way]), openServer().open)
    const ending = await driver.act(context)
    expect(ending).toMatchObject({
      cause: 'exited',
      exitCode: 0,
      prompt: { version, digest, passedBy: way },
    })
    const { argv, stdin, files } = told()
    expect(argv.slice(0, 2)).toEqual(['-m', 'claude-x-1'])
    const got = { argument: argv[2], stdin, file: files[argv[2] ?? ''] }
    expect(got[way]).toBe(text)
    if (way !== 'stdin') expect(stdin).toBe('')
  })

  it.each([
    ['argument', 'file'],
    ['stdin', 'stdin'],
    ['file', 'file'],
  ] as const)('also when it is too long for one argument: %s becomes %s', async (way, passedBy) => {
    const long = HOSTILE.repeat(2500)
    expect(Buffer.byteLength(long)).toBeGreaterThan(200_000)
    const { turn: context, told } = await takeTurn(long)
    const driver = driverOf(echoAgent(root, WAYS[way]), openServer().open)
    const { prompt } = await driver.act(context)
    expect(prompt?.passedBy).toBe(passedBy)
    const { text } = buildPrompt(context.task)
    if (way === 'stdin') expect(told().stdin).toBe(text)
    else expect(readFileSync(join(context.temporary, 'prompt.md'), 'utf8')).toBe(text)
    if (way === 'argument')
      expect(told().argv[2]).toContain(`Read the file ${context.temporary}/prompt.md`)
    if (way === 'file') expect(Object.values(told().files)).toEqual([text])
  })
})

describe('what an agent is given', () => {
  it('is the gateway and a key of no worth, never the real one', async () => {
    const { turn: context, told } = await takeTurn('x')
    const { open, attempts, state } = openServer()
    process.env.ANTHROPIC_API_KEY = 'the-real-key'
    try {
      await driverOf(echoAgent(root), open).act(context)
    } finally {
      delete process.env.ANTHROPIC_API_KEY
    }
    const { env } = told()
    expect(env.ECHO_KEY).toBe('dummy-key')
    expect(env.ECHO_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(JSON.stringify(env)).not.toContain('the-real-key')
    expect([env.HOME, env.TMPDIR]).toEqual([context.home, context.temporary])
    expect(attempts).toEqual([context])
    expect(state.closed).toBe(1)
  })

  it('is the key of its own vendor when nothing can stand between', async () => {
    const { turn: context, told } = await takeTurn('x')
    const unmetered = echoAgent(root, {
      metering: { none: 'it cannot be pointed elsewhere' },
      protocols: {},
      preferred: null,
      providers: { echo: { protocol: null, keys: ['ECHO_KEY'] } },
      env: { ECHO_KEY: slot('key') },
    })
    const driver = driverOf(unmetered, null, 'echo')
    expect([driver.mode, driver.metered]).toEqual(['live', false])
    const ending = await driver.act(context)
    expect(ending.report).toBeNull()
    expect(told().env.ECHO_KEY).toBe('the-real-key')
    expect(readFileSync(log.path, 'utf8')).toContain('my key is [redacted:run-key]')
    expect(driver.secrets).toEqual(['the-real-key'])
  })

  it('is written below its fresh HOME, before its own commands run', async () => {
    const { turn: context } = await takeTurn('x')
    const files = [{ path: '.echo/a.json', format: 'json', content: { model: slot('model') } }]
    const agent = echoAgent(root, { files, before: [['auth', slot('key')]] })
    expect(await driverOf(agent, openServer().open).act(context)).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(readFileSync(join(context.home, '.echo/a.json'), 'utf8'))).toEqual({
      model: 'claude-x-1',
    })
  })

  it('ends with its own command when that fails', async () => {
    const { turn: context, told } = await takeTurn('x')
    const { open, state } = openServer()
    const agent = echoAgent(root, { before: [['auth', 'fail']] })
    expect(await driverOf(agent, open).act(context)).toMatchObject({ cause: 'exited', exitCode: 3 })
    expect(told).toThrow('ENOENT')
    expect(state.closed).toBe(1)
  })
})

describe('the log of an agent', () => {
  it("holds its own count beside the gateway's", async () => {
    const { turn: context } = await takeTurn('x')
    const usageReport = { type: 'result', input: 'usage.in', output: 'usage.out' }
    await driverOf(echoAgent(root, { usageReport }), openServer().open).act(context)
    expect(readFileSync(log.path, 'utf8')).toContain(
      "by the agent's own word 7 and unknown, by the gateway 100 and 20\n",
    )
  })
})

describe('the outcome of an agent', () => {
  const quiet = sampleReport()
  it.each([
    ['nothing', quiet, null],
    [
      'a budget that the gateway closed',
      sampleReport({ exhausted: { budget: 'cost', reason: 'spent', spent: 2 } }),
      { status: 'out-of-budget', budget: 'cost', reason: 'spent' },
    ],
    [
      'a failing provider',
      sampleReport({ providerFailure: sampleProviderFailure('overloaded', 1) }),
      { status: 'void', fault: 'provider', reason: 'the provider failed once: overloaded' },
    ],
  ])('is decided by %s', async (_, report, outcome) => {
    const { turn: context } = await takeTurn('x')
    const subject = await runSubject(driverOf(echoAgent(root), openServer(report).open), context)
    expect(subject.outcome).toEqual(outcome)
    expect(subject.ending.report).toEqual(report)
  })
})
