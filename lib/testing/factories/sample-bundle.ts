import { digestBytes } from '#lib/domain/digest/index.ts'
import {
  BUNDLE_KIND,
  type Bundle,
  type ContractResult,
  type EpisodeBody,
  type Verifier,
} from '#lib/domain/record/index.ts'
import { sampleEpisode, samplePlan } from './samples.ts'

const UNJUDGED = { contract: null, testSuccess: false, overallSuccess: false } as const
/** Hostile text that a spreadsheet, an XML parser or a terminal would interpret. */
export const HOSTILE = '=HYPERLINK("x") <b>&\u0007 ]]>\n\u202egnp'

const VERIFIER: Verifier = {
  sandbox: 'bubblewrap',
  network: 'none',
  digest: digestBytes('verifier'),
}

/** A contract with eight visible tests that passed, and a held-out transcript. */
function contractOf(heldOut: 'pass' | 'fail'): ContractResult {
  const part = (kind: string, verdict: 'pass' | 'fail') => {
    return { kind, label: kind, expected: '', observed: '', verdict, children: [] }
  }
  return {
    verdict: heldOut,
    assertions: [part('tests', 'pass'), part('held-out', heldOut)],
    expectedTests: 8,
    executedTests: 8,
    passedTests: 8,
  }
}

/** One run with an episode of every ending, and an excluded attempt that was retried. */
export function sampleBundle(): Bundle {
  const subject = {
    kind: 'agent' as const,
    name: 'agent',
    version: '1.0.0',
    adapterVersion: null,
    provider: 'openai',
    modelRequested: 'model-1',
  }
  const plan = samplePlan({ subject })
  const environment = { ...sampleEpisode().environment, verifier: VERIFIER }
  const episode = (changes: Partial<EpisodeBody>) => {
    const taskId = changes.taskId ?? 'alpha'
    return sampleEpisode(
      { mode: 'live', environment, ...changes, taskId, taskDigest: digestBytes(taskId) },
      plan,
    )
  }
  const lost = episode({
    ...UNJUDGED,
    repetition: 2,
    agentSuccess: false,
    outcome: { status: 'void', fault: 'provider', reason: 'the provider answered 503' },
    failureCategory: 'provider',
  })
  const differs = contractOf('fail')
  const tokens = { input: 1000, output: 50, cacheRead: 600, cacheWrite: null, reasoning: 20 }
  const usage = { tokens, costMicroUsd: 1234, priceTable: { id: 'list', date: '2026-01-01' } }
  const episodes = [
    episode({
      contract: contractOf('pass'),
      usage,
      effort: { ...sampleEpisode().effort, steps: 4, toolCalls: { bash: 3 } },
    }),
    lost,
    episode({
      repetition: 2,
      attempt: 2,
      previousAttempt: { episodeId: lost.episodeId, reason: 'void' },
    }),
    episode({
      taskId: 'beta',
      contract: differs,
      testSuccess: false,
      overallSuccess: false,
      outcome: { status: 'unsolved', reason: HOSTILE },
      failureCategory: 'test-failure',
    }),
    episode({
      ...UNJUDGED,
      taskId: 'beta',
      repetition: 2,
      agentSuccess: false,
      outcome: { status: 'cancelled', reason: 'somebody stopped it' },
      failureCategory: 'cancelled',
      startedAt: '2026-01-01T00:00:03.000Z',
      endedAt: '2026-01-01T00:00:04.000Z',
    }),
  ]
  const [first] = episodes
  if (!first) throw new Error('no episode')
  const shard = { index: 1, count: 1 }
  const { runId, environment: lock } = first
  return { kind: BUNDLE_KIND, schemaVersion: 1, runId, plan, lock, shard, episodes }
}
