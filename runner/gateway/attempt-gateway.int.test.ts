import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseTranscript } from '#lib/domain/transcript/index.ts'
import { sampleTask } from '#lib/testing/factories/agent-samples.ts'
import { askModel } from '#lib/testing/factories/ask-model.ts'
import { REAL_KEY, sampleGatewayOptions } from '#lib/testing/factories/gateway.ts'
import { decideMeteredOutcome } from '../engine/decide-subject-outcome.ts'
import { local } from '../sandbox/isolation/local.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { openAttemptGateway } from './attempt-gateway.ts'
import type { GatewayClient, MeteredAttempt } from './model-access.ts'
import type { ModelScript } from './model-script.ts'

const closing: (() => Promise<void>)[] = []
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(root, { recursive: true, force: true })
})

function clientOf(script: ModelScript, changes: Partial<GatewayClient> = {}): GatewayClient {
  return {
    subject: { name: 'echo', version: '1.0.0', modelRequested: 'm-1' },
    provider: { name: 'openai', protocol: 'openai-chat' },
    key: null,
    source: { kind: 'scripted', scriptFor: () => script },
    record: false,
    openGateway: openAttemptGateway,
    price: sampleGatewayOptions('').price,
    ...changes,
  }
}

function attemptOf(settings: Partial<MeteredAttempt['settings']> = {}): MeteredAttempt {
  const log = new CappedLog(join(root, 'subject.log'), 1 << 20)
  closing.push(async () => void log.close())
  return {
    task: sampleTask(root),
    repetition: 1,
    folder: root,
    workspace: join(root, 'sum'),
    home: join(root, 'home'),
    temporary: join(root, 'tmp'),
    settings: {
      timeoutMs: 60_000,
      maxSteps: 2,
      maxTokens: null,
      maxCostMicroUsd: null,
      temperature: 0,
      isolation: 'local',
      diskQuotaBytes: 64 << 20,
      maxAttempts: 1,
      seed: 1,
      ...settings,
    },
    isolation: local,
    log,
    signal: new AbortController().signal,
  }
}

async function open(client: GatewayClient, attempt = attemptOf()) {
  const gateway = await openAttemptGateway(client, attempt)
  closing.push(gateway.close)
  const ask = async () => {
    const response = await askModel(
      { url: () => gateway.url, dummyKey: gateway.dummyKey },
      'openai-chat',
      true,
    )
    await response.text()
  }
  return { gateway, ask, attempt }
}

describe('the gateway of an attempt', () => {
  it('reports what an envelope needs', async () => {
    const { gateway, ask } = await open(
      clientOf({ turns: [{ call: { tool: 'edit', input: {} }, errors: [{ status: 429 }] }] }),
      attemptOf({ fault: 'overloaded@1' }),
    )
    for (let turn = 0; turn < 5; turn++) await ask()
    expect(gateway.report()).toMatchObject({
      requests: { metered: 5 },
      steps: 2,
      toolCalls: { edit: 2 },
      firstTool: 'edit',
      tokens: { input: 200, output: 40 },
      costMicroUsd: 2400,
      models: ['m-1'],
      retries: 4,
      exhausted: { budget: 'steps' },
      providerFailure: { unrecovered: 0 },
      replayMisses: [],
      temperatures: [0],
      faultOutcomes: [
        { plan: 'overloaded', point: 'step 1', firedAt: expect.any(String), recovered: true },
      ],
    })
    await gateway.close()
    expect(gateway.report()).toMatchObject({ steps: 2, requests: { metered: 5 } })
  })

  it.each([
    [{ aliases: ['gpt-5.4'] }, expect.any(Number)],
    [{}, null],
  ])(
    'prices a deployment by the model that the plan declares it to be: %j',
    async (names, cost) => {
      const client = clientOf(
        { turns: [{ say: 'x' }] },
        { rates: { table: 'openai' }, provider: { name: 'acme', protocol: 'openai-chat' } },
      )
      const { price: _, ...unpriced } = client
      const { gateway, ask } = await open({ ...unpriced, subject: { ...client.subject, ...names } })
      await ask()
      await gateway.close()
      expect(gateway.report().costMicroUsd).toEqual(cost)
    },
  )

  it('reports trouble that was never overcome, and a fault that never came', async () => {
    const errors = Array.from({ length: 9 }, () => ({ status: 529 }))
    const { gateway, ask } = await open(
      clientOf({ turns: [{ say: 'x', errors }] }),
      attemptOf({ fault: 'hang@2,limit=1' }),
    )
    await ask()
    await ask()
    expect(gateway.report()).toMatchObject({
      providerFailure: { kind: 'overloaded', unrecovered: 2, isProvoked: false },
      faultOutcomes: [{ firedAt: null, recovered: null }],
    })
  })

  it('makes the attempt void when the gateway itself failed, and keeps what it saw', async () => {
    const price = () => {
      throw new Error('no table')
    }
    const { gateway, ask } = await open(clientOf({ turns: [{ say: 'x' }] }, { price }))
    await ask()
    await new Promise((done) => setImmediate(done))
    const report = gateway.report()
    expect(report.requests.metered).toBe(1)
    expect(decideMeteredOutcome(report)).toEqual({
      status: 'void',
      fault: 'harness',
      reason: 'the gateway failed: no table',
    })
  })

  it('listens on the loopback and names its agent and provider in the recording', async () => {
    const { gateway, ask } = await open(clientOf({ turns: [{ say: 'x' }] }, { record: true }))
    await ask()
    await gateway.close()
    expect(gateway.socket).toBeNull()
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
    expect(JSON.parse((await gateway.recording()) ?? '')).toMatchObject({
      manifest: { provider: 'openai', agent: { name: 'echo', version: '1.0.0' } },
    })
  })

  it.each([
    ['tokens', { maxSteps: null, maxTokens: 100 }],
    ['cost', { maxSteps: null, maxCostMicroUsd: 1000 }],
  ] as const)('keeps the budget of %s', async (budget, limits) => {
    const { gateway, ask } = await open(clientOf({ turns: [{ say: 'x' }] }), attemptOf(limits))
    await ask()
    await ask()
    expect(gateway.report().exhausted).toMatchObject({ budget })
  })

  it('writes into the log where the script does not fit', async () => {
    const { gateway, ask, attempt } = await open(
      clientOf({ turns: [{ call: { tool: 'edit', input: { path: { $match: 'absent' } } } }] }),
    )
    await ask()
    await gateway.close()
    attempt.log.flush()
    expect(readFileSync(attempt.log.path, 'utf8')).toContain('the script does not fit')
  })

  it('writes down what was said, and what changed in the workspace', async () => {
    const { gateway, ask, attempt } = await open(
      clientOf({ turns: [{ say: 'I edit.', call: { tool: 'edit', input: { path: 'a.ts' } } }] }),
    )
    mkdirSync(attempt.workspace, { recursive: true })
    await ask()
    await gateway.close()
    const { transcript } = gateway
    const data = parseTranscript(readFileSync(transcript?.path ?? '', 'utf8'))
    expect(transcript?.path).toBe(join(root, 'transcript.jsonl'))
    expect(data?.head).toMatchObject({ agent: { name: 'echo' }, provider: 'openai', model: 'm-1' })
    expect(data?.steps.at(-1)).toMatchObject({
      role: 'assistant',
      text: 'I edit.',
      model: 'm-1',
      trouble: null,
      toolCalls: [{ name: 'edit', arguments: '{"path":"a.ts"}' }],
      soFar: { input: 100, output: 20 },
    })
    expect(data?.steps.some(({ role }) => role === 'user')).toBe(true)
    expect(data?.end?.steps).toBe(data?.steps.length)
    const text = JSON.stringify(data)
    expect(text).not.toContain(gateway.dummyKey)
  })

  it('ends with its signal, and does not open without a place to ask', async () => {
    const cancelled = new AbortController()
    const attempt = { ...attemptOf(), signal: cancelled.signal }
    const { gateway } = await open(clientOf({ turns: [{ say: 'x' }] }), attempt)
    cancelled.abort()
    await gateway.close()
    await expect(fetch(gateway.url)).rejects.toThrow()
    const live = clientOf({ turns: [] }, { source: { kind: 'provider' } })
    await expect(openAttemptGateway(live, attempt)).rejects.toThrow(
      'no upstream was given for "openai"',
    )
    const unknown = { name: 'nobody', protocol: 'openai-chat' as const }
    await expect(
      openAttemptGateway({ ...live, key: REAL_KEY, provider: unknown }, attempt),
    ).rejects.toThrow('no upstream was given for "nobody"')
  })
})
