// @module-tag chromium
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Workflow } from '#lib/domain/tasks/index.ts'
import { startChromium, type TestBrowser } from '#lib/testing/factories/chromium.ts'
import { type FixtureSite, serveFixtureSite } from '#lib/testing/factories/serve-fixture-site.ts'
import { openAttemptGateway } from '../gateway/attempt-gateway.ts'
import type { ModelScript } from '../gateway/model-script.ts'
import { local } from '../sandbox/isolation/local.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { driveByModel } from './drive-by-model.ts'

let site: FixtureSite
let browser: TestBrowser
const root = mkdtempSync(join(tmpdir(), 'pb-model-'))
let plays = 0

beforeAll(async () => {
  site = await serveFixtureSite()
  browser = await startChromium()
})
afterAll(async () => {
  await browser.close()
  await site.close()
  rmSync(root, { recursive: true, force: true })
})

const WORKFLOW: Workflow = {
  kind: 'browser',
  taskId: 'place-order',
  digest: digestBytes('place-order'),
  title: 'Place an order',
  category: 'transactional',
  difficulty: 'easy',
  app: 'fixture',
  start: '/checkout',
  seed: 1,
  instruction: 'Place the order at {{origin}}.',
  budgets: { timeoutMs: 60_000, maxActions: 20 },
  needs: [],
  files: [],
  faults: {},
  contract: [{ kind: 'no-dialog' }],
}

type Changes = { maxSteps?: number | null; maxActions?: number; library?: string }

async function drive(script: ModelScript, protocol: Protocol, changes: Changes = {}) {
  const folder = join(root, `play-${plays++}`)
  const [workspace, home, temporary] = ['task', 'home', 'tmp'].map((name) => join(folder, name))
  for (const path of [workspace, home, temporary]) mkdirSync(path as string, { recursive: true })
  const log = new CappedLog(join(folder, 'log'), 1 << 20)
  const marker = `test-${process.pid}-${plays}`
  const { maxSteps = 20, maxActions = 20, library = 'playwright-mcp' } = changes
  const turn = {
    task: { folder, task: WORKFLOW },
    repetition: 1,
    workspace: workspace as string,
    home: home as string,
    temporary: temporary as string,
    folder,
    settings: {
      timeoutMs: 50_000,
      maxSteps,
      maxTokens: 100_000,
      maxCostMicroUsd: null,
      temperature: 0,
      isolation: 'local' as const,
      diskQuotaBytes: 64 << 20,
      maxAttempts: 1,
      seed: 1,
    },
    isolation: local,
    marker,
    runMark: marker,
    log,
    signal: new AbortController().signal,
  }
  const played = await driveByModel(
    {
      subject: { name: library, version: '1', modelRequested: 'scripted-1' },
      provider: { name: 'scripted', protocol },
      source: { kind: 'scripted', scriptFor: () => script },
      record: true,
      openGateway: openAttemptGateway,
      key: null,
    },
    turn,
    {
      library,
      endpoint: browser.endpoint,
      webdriverPort: null,
      origin: site.origin,
      start: WORKFLOW.start,
      instruction: WORKFLOW.instruction,
      files: {},
      actionTimeoutMs: 30_000,
      maxActions,
      folder: workspace as string,
    },
    process.env,
  )
  log.close()
  return { ...played, log: readFileSync(join(folder, 'log'), 'utf8') }
}

const PLACE = { $match: 'button "Place order".*?\\[ref=(\\w+)\\]' }
const look = { call: { tool: 'browser_snapshot', input: {} } }
const usage = { input: 500, output: 30 }

/** The address is found in the prompt, the button in the snapshot. */
const SOLVE: ModelScript = {
  turns: [
    {
      call: { tool: 'browser_navigate', input: { url: { $match: 'app is at (http\\S+)\\.' } } },
      usage,
    },
    { ...look, usage },
    { call: { tool: 'browser_click', input: { target: PLACE } }, usage },
    { say: 'The order is placed.', usage },
  ],
}

async function drivesToTheEnd(protocol: Protocol): Promise<void> {
  const before = site.orders.length
  const { ending, trace, log } = await drive(SOLVE, protocol)
  expect(log).not.toContain('the script does not fit')
  expect(site.orders.length).toBeGreaterThan(before) // Chromium itself repeats the request if the response is lost
  expect(ending).toMatchObject({ cause: 'exited', exitCode: 0, leftBehind: 0, clean: true })
  expect(ending.report).toMatchObject({
    steps: 4,
    toolCalls: { browser_navigate: 1, browser_snapshot: 1, browser_click: 1 },
    tokens: { input: 2000, output: 120 },
    exhausted: null,
    retries: 0,
  })
  expect(ending.calls).toHaveLength(4)
  expect(ending.recording).toContain('Place order')
  expect(ending.prompt).toMatchObject({ version: 1, passedBy: 'stdin' })
  expect(trace.report).toMatchObject({ ending: 'finished', libraryError: null })
  expect(trace.report?.resultTokens).toBeGreaterThan(50)
  expect(trace.report?.resultBytes).toBeGreaterThan(trace.report?.resultTokens ?? 0)
  expect(trace.actions).toMatchObject([
    { step: null, action: 'browser_navigate', error: null },
    { action: 'browser_snapshot', target: null, error: null },
    { action: 'browser_click', error: null },
  ])
}

const DRIVES = 'a model over %s drives a server to the end, metered and recorded'
it.each(['anthropic'] as const)(DRIVES, drivesToTheEnd)
it.each(['openai-chat'] as const)(DRIVES, { tags: 'night' }, drivesToTheEnd)

it('is ended by the budget of steps', { tags: 'night' }, async () => {
  const forever = { turns: Array.from({ length: 30 }, () => look) }
  const { ending, trace } = await drive(forever, 'openai-chat', { maxSteps: 3 })
  expect(ending.report).toMatchObject({ steps: 3, exhausted: { budget: 'steps' } })
  expect(trace.actions).toHaveLength(3)
  expect(trace.report).toMatchObject({ ending: 'finished' })
})

it('is ended by the number of its tool calls', { tags: 'night' }, async () => {
  const forever = { turns: Array.from({ length: 30 }, () => look) }
  const { ending, trace } = await drive(forever, 'anthropic', { maxActions: 2 })
  expect(trace.actions).toHaveLength(2)
  expect(trace.report).toMatchObject({ ending: 'out-of-actions' })
  expect(ending).toMatchObject({ cause: 'exited', exitCode: 1, clean: true })
})

it('hears the errors of tools and goes on', { tags: 'night' }, async () => {
  const script: ModelScript = {
    turns: [
      { call: { tool: 'browser_click', input: { target: 'e999' } } },
      { ...look },
      { say: 'I give up.' },
    ],
  }
  const { ending, trace } = await drive(script, 'openai-chat')
  expect(ending.report).toMatchObject({ steps: 3 })
  expect(trace.report).toMatchObject({
    ending: 'finished',
    libraryError: { step: null, action: 'browser_click' },
  })
  expect(trace.actions[0]?.error).toContain('e999')
})
