import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { GatewayReport, ProviderFailure } from '#runner/gateway/gateway-report.ts'
import { exerciseForAgents } from '#runner/kinds/exercise/for-agents.ts'
import { RUNNER_ENV } from '#runner/sandbox/process/own-env.ts'
import { subjectEnv } from '#runner/subjects/agents/agent-program.ts'
import type { CommandOptions } from '#runner/subjects/agents/build-command.ts'
import { readTaskFolder } from '#runner/suites/read-task-folder.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'

const PLACE = { home: '/episode/home', temporary: '/episode/tmp', runMark: 'run_sample-1' }

/** Options that are the same on every machine, except for additions from the machine's own environment. */
export function sampleAgentOrder(
  protocol: Protocol | null,
  changes: Partial<CommandOptions> = {},
): CommandOptions {
  const { home, temporary } = PLACE
  return {
    protocol,
    model: 'model-x-1',
    prompt: 'Solve it.',
    endpoint:
      protocol === null
        ? { baseUrl: null, key: 'key-of-its-vendor' }
        : { baseUrl: 'http://127.0.0.1:8787/r/1', key: 'dummy-key' },
    effort: null,
    usesLogin: false,
    start: ['/opt/agent'],
    workspace: '/episode/sum',
    home,
    temporary,
    env: { ...subjectEnv(PLACE, RUNNER_ENV) },
    ...changes,
  }
}

/** A gateway's report of an uneventful attempt. */
export function sampleReport(changes: Partial<GatewayReport> = {}): GatewayReport {
  return {
    requests: {
      metered: 4,
      inFlight: 0,
      passedOn: 0,
      unauthorized: 0,
      upgradesRefused: 0,
      refused: 0,
      abandoned: 0,
    },
    steps: 3,
    toolCalls: { edit: 1, read: 1 },
    firstTool: 'read',
    tokens: { input: 100, output: 20, cacheRead: null, cacheWrite: null, reasoning: null },
    knownTokens: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    costMicroUsd: 1200,
    knownCostMicroUsd: 1200,
    unpricedCalls: 0,
    priceTable: { id: 'prices', date: '2026-11-01' },
    costSources: { 'price-table': 3 },
    unknownBecause: [],
    charged: { tokens: 120, costMicroUsd: 1200, estimatedCalls: 0 },
    finalAnswerAt: null,
    isWaiting: false,
    stopReasons: {},
    refusals: 0,
    models: ['model-x-1'],
    retries: 1,
    providerErrors: {},
    providerFailure: null,
    usedModels: [],
    temperatures: [],
    implausible: [],
    exhausted: null,
    faults: [],
    faultOutcomes: [],
    replayMisses: [],
    wall: { firstByteMs: 0, answerMs: 0 },
    ownErrors: [],
    ...changes,
  }
}

/** A provider that failed `count` times in a row and did not recover. */
export function sampleProviderFailure(
  kind: ProviderFailure['kind'],
  count: number,
): ProviderFailure {
  const at = '2026-11-01T00:00:00.000Z'
  return {
    kind,
    count,
    kinds: { [kind]: count },
    firstAt: at,
    lastAt: at,
    unrecovered: count,
    isProvoked: false,
    neverAnswered: false,
    last: { status: null, message: null },
    retryAt: null,
  }
}

/** Loads a small task created on disk below `root`; the caller provides its instructions. */
export function sampleTask(root: string, instructions = '# Sum\n\nAdd.'): LoadedExercise {
  const files = {
    '.docs/instructions.md': instructions,
    'sum.ts': 'export const sum = 0\n',
    'sum.test.ts': "it('adds', () => {})\n",
    '.meta/reference.ts': 'export const sum = 1\n',
    '.meta/config.json': JSON.stringify({
      files: { solution: ['sum.ts'], test: ['sum.test.ts'], example: ['.meta/reference.ts'] },
    }),
  }
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, 'sum', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  const folder = readTaskFolder(join(root, 'sum'))
  return {
    ...folder,
    forAgents: exerciseForAgents,
    task: { ...folder.draft, digest: digestBytes('sum'), expectedTests: ['adds'] },
  }
}
