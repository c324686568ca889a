import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import { freezePlan, type Plan, type RunEvent } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { writeEchoAgent, writeToolAgent } from '#lib/testing/factories/echo-agent.ts'
import { loadOneTask } from '#lib/testing/factories/fake-agent.ts'
import { samplePlan } from '#lib/testing/factories/samples.ts'
import { sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { openAttemptGateway } from '../gateway/attempt-gateway.ts'
import type { PriceCall } from '../gateway/call-record.ts'
import { exerciseAdapter } from '../kinds/exercise/exercise-adapter.ts'
import { knownProviders } from '../providers/known-providers.ts'
import { local } from '../sandbox/isolation/local.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { chooseAgent } from '../subjects/agents/choose-agent.ts'
import { parseAgent } from '../subjects/agents/load-agents.ts'
import { plannedAgent } from '../subjects/agents/planned-agent.ts'
import { systemClock } from './clock.ts'
import { resolveEnvironment } from './resolve-environment.ts'
import { runPlan } from './run-plan.ts'
import { RunSpending } from './spending.ts'

const verifier = sharedVerifier()

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  chmodSync(root, 0o755) // the agent may be another user
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/**
 * The scripted model reads 100 tokens and writes 20 per turn, an attempt is two turns: 240 at one micro-dollar per
 * token.
 */
const AN_ATTEMPT = 240
const price: PriceCall = ({ tokens: { input, output } }) => ({
  costMicroUsd: (input ?? 0) + (output ?? 0),
  priceTable: { id: 'test', date: '2026-11-21' },
})
const script = { turns: [{ call: { tool: 'look', input: {} } }, { say: 'done' }] }

async function planOf(repetitions: number): Promise<Plan> {
  const definition = parseAgent(writeToolAgent(root), 'echo.yaml')
  const request = { model: 'm-1', provider: 'scripted', agentVersion: null, usesLogin: false }
  const { task } = await loadOneTask('lru-cache')
  const { taskId, digest, category } = task
  return freezePlan(
    {
      ...samplePlan(),
      suiteId: 'typescript',
      tasks: [{ taskId, digest, category }],
      subject: await chooseAgent(definition, request, {
        known: knownProviders(null),
        env: RUNNER_ENV,
        report: () => {},
      }),
      repetitions,
      policyVersion: POLICY_VERSION,
    },
    { now: '2026-11-21T00:00:00.000Z' },
  )
}

/** Runs the plan, or the missing part of it, under a cap: a real agent, a real gateway, the scripted model server. */
async function runUnder(capMicroUsd: number, plan: Plan, priceCall: PriceCall = price) {
  const spending = new RunSpending(capMicroUsd, plan.settings.maxCostMicroUsd)
  const definition = parseAgent(writeToolAgent(root), 'echo.yaml')
  const source = { kind: 'scripted' as const, scriptFor: () => script }
  const house = {
    source,
    record: false,
    spending,
    price: priceCall,
    openGateway: openAttemptGateway,
  }
  const driver = await plannedAgent(plan, definition, RUNNER_ENV, house)
  const events: RunEvent[] = []
  const report = await runPlan(
    {
      runId: 'run_spendcap00',
      plan,
      shard: { index: 1, count: 1 },
      concurrency: 1,
      out: join(root, 'out'),
      tasks: [await loadOneTask('lru-cache')],
    },
    {
      adapter: exerciseAdapter(driver, { verifier, isolation: local }),
      clock: systemClock,
      environment: await resolveEnvironment(await local.record()),
      isolation: local,
      spending,
      signal: new AbortController().signal,
      emit: (event) => events.push(event),
    },
  )
  return { report, events, names: events.map(({ event }) => event) }
}

const startedIn = (names: readonly string[]) =>
  names.filter((name) => name === 'attempt-started').length

describe('a run under a spend cap', () => {
  it('starts no attempt once the cap is used, ends in order, and goes on under a higher one', async () => {
    const plan = await planOf(4)
    const first = await runUnder(AN_ATTEMPT + 1, plan)
    expect(startedIn(first.names)).toBe(2)
    expect(first.names.slice(-2)).toEqual(['spend-cap-reached', 'run-ended'])
    expect(first.report).toMatchObject({
      planned: 4,
      stopped: false,
      episodes: { length: 2 },
      spend: { spentMicroUsd: 2 * AN_ATTEMPT, unknownAttempts: 0, closed: 'reached' },
    })
    expect(first.events.find(({ event }) => event === 'spend-cap-reached')).toMatchObject({
      capMicroUsd: AN_ATTEMPT + 1,
      spentMicroUsd: 2 * AN_ATTEMPT,
      missing: 2,
      reason: expect.stringContaining('2 planned episodes not run'),
    })

    const same = await runUnder(AN_ATTEMPT + 1, plan)
    expect(same.names).toEqual(['run-started', 'spend-cap-reached', 'run-ended'])

    const more = await runUnder(100 * AN_ATTEMPT, plan)
    expect([startedIn(more.names), more.names.includes('spend-cap-reached')]).toEqual([2, false])
    expect(more.report).toMatchObject({
      episodes: { length: 4 },
      spend: { spentMicroUsd: 4 * AN_ATTEMPT, closed: null },
    })
    const kept = JSON.parse(readFileSync(join(root, 'out', 'result.json'), 'utf8'))
    expect(new Set(kept.episodes.map((one: { repetition: number }) => one.repetition)).size).toBe(4)
    expect(kept.episodes).toHaveLength(4)
    expect(kept.plan.planDigest).toBe(plan.planDigest)
  })

  it('gives up the cap, and says so, when the cost of attempts is unknown', {
    tags: 'night',
  }, async () => {
    const free: PriceCall = () => ({ costMicroUsd: null, priceTable: null })
    const { report, names, events } = await runUnder(1_000_000, await planOf(5), free)
    expect([startedIn(names), report.spend?.closed]).toEqual([3, 'unknown'])
    expect(events.find(({ event }) => event === 'spend-cap-reached')).toMatchObject({
      unknownAttempts: 3,
      missing: 2,
      reason: expect.stringContaining('the cost of 3 attempts is unknown'),
    })
  })
})

describe('proofboard run --spend-cap', () => {
  const run = (...args: string[]) =>
    proofboardHere(join(root, 'data'), [
      ...['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--out', join(root, 'out')],
      ...args,
    ])

  it.each([
    ['a control', ['--subject', 'nop'], '"nop" does not call a model through the gateway'],
    ['an own command', ['--command', 'true'], 'does not call a model through the gateway'],
    ['a broken amount', ['--subject', 'nop', '--spend-cap', '-1'], 'above 0, for example 0.50'],
    ['nothing at all', ['--subject', 'nop', '--spend-cap', '0'], 'above 0, for example 0.50'],
  ])('refuses %s in one sentence', async (_, args, words) => {
    const { code, stderr, stdout } = await run('--spend-cap', '1', ...args)
    expect(stderr).toContain(words)
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
  })

  it('refuses a model that no price table knows', async () => {
    const file = join(root, 'echo.yaml')
    writeFileSync(file, writeEchoAgent(root))
    const model = ['--provider', 'scripted', '--model', 'm-1', '--script', 'solve']
    const { code, stderr } = await run('--agent-file', file, ...model, '--spend-cap', '1')
    expect([code, stderr]).toEqual([
      2,
      '"m-1" of scripted is not in the price table, so --spend-cap cannot be enforced: give its price in USD per million tokens (--price 3/15 for input and output, --price free, or a provider file), or remove --spend-cap\n',
    ])
  })
})
