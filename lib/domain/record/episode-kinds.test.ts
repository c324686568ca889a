import { expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import type { EpisodeFact } from './episode-fact.ts'
import { listKinds } from './episode-kinds.ts'

const suite = sampleBoardSuite(2)
const { facts } = sampleRun({ suite, repetitions: 3 })
const [FACT] = facts as [EpisodeFact]
const DIGEST = suite.digest

const full: EpisodeFact = {
  ...FACT,
  models: [{ model: 'a', asked: [], calls: 1, toolCalls: 0, input: 1, output: 1 }],
  origin: { harness: { version: '1', commit: 'a' }, machine: {}, tests: null, marks: ['a'] },
  grading: { visible: true, heldOut: null, verifier: null },
}

/** Changes that rules or figures see one by one. */
const SPLIT: Partial<Record<keyof EpisodeFact, unknown[]>> = {
  runId: ['run_00000002'],
  planDigest: [DIGEST],
  taskId: ['task-9'],
  taskDigest: [DIGEST],
  category: ['other'],
  attempt: [2],
  status: ['unsolved', 'void', 'tampered'],
  failureCategory: ['other'],
  mode: ['mock'],
  verdict: ['fail', null],
  subject: [{ ...FACT.subject, version: '2' }],
  settings: [{ ...FACT.settings, maxSteps: 51 }],
  modelObserved: [['other']],
  models: [[{ ...full.models?.[0], model: 'b' }]],
  temperaturesSent: [[1]],
  implausibleCalls: [1],
  unpinned: [['node']],
  findings: [1],
  fault: [{ fired: true, recovered: null }],
  metered: [false],
  subjectUser: ['own'],
  agentExit: ['ok'],
  activation: [{ offered: true, used: null }],
  browser: [{ driven: 'llm' }, { sandbox: 'none' }],
  grading: [
    { visible: false, heldOut: null, verifier: null },
    { visible: true, heldOut: true, verifier: null },
    { visible: true, heldOut: null, verifier: { sandbox: 'docker', network: null, digest: 'd' } },
  ],
  guess: [0.1],
  escrow: [true],
  origin: [
    undefined,
    { ...full.origin, machine: { os: 'x' } },
    { ...full.origin, harness: { version: '2', commit: 'a' } },
    { ...full.origin, tests: { expected: 1, passed: DIGEST } },
  ],
  provenance: ['local'],
  voucher: ['token:x'],
  account: ['account:x'],
  receivedUnder: [3],
}

it.each(Object.entries(SPLIT))('tells episodes apart by %s', (field, values) => {
  for (const value of values) {
    const other = { ...full, [field]: value }
    expect(listKinds([full, other])).toHaveLength(2)
    expect(listKinds([other, full])).toHaveLength(2)
  }
})

it('joins episodes that differ in ids, repetitions, times and amounts, and shows the first and last start', () => {
  const own = facts.slice(0, 3).map((fact, at) => ({
    ...structuredClone({ ...full, ...fact }),
    startedAt: `2026-11-0${[2, 1, 3][at]}T00:00:00.000Z`,
    subjectMs: at,
    tokens: at,
    costMicroUsd: at,
    steps: at,
  }))
  expect(listKinds(own)).toEqual([
    { fact: own[1], episodes: 3, lastStartedAt: '2026-11-03T00:00:00.000Z' },
  ])
})

it('leaves episodes alone that the ledger or an evaluation may settle one by one', () => {
  const found = { ...full, findings: 1 }
  expect(listKinds([found, { ...found, episodeId: 'ep_2' }])).toHaveLength(2)
})
