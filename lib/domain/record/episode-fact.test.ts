import { describe, expect, it } from 'vitest'
import { sampleEpisode } from '#lib/testing/factories/sample-record.ts'
import { sampleBrowser } from '#lib/testing/factories/samples.ts'
import { digestBytes } from '../digest/index.ts'
import type { EpisodeBody } from './episode.ts'
import { episodeFact, gradingFact, regradedFact } from './episode-fact.ts'
import type { Assertion, ContractResult, Verdict } from './outcome.ts'

const part = (kind: string, verdict: Verdict): Assertion => {
  return { kind, label: kind, expected: '', observed: '', verdict, children: [] }
}

/** Reads the facts of an episode with these assertions; it passes if all of them do. */
function read(verdicts: Record<string, Verdict>, changes: Partial<EpisodeBody> = {}) {
  const assertions = Object.entries(verdicts).map(([kind, verdict]) => part(kind, verdict))
  const verdict = assertions.every((one) => one.verdict === 'pass') ? 'pass' : 'fail'
  const counts = { expectedTests: 8, executedTests: 8, passedTests: 8 }
  const contract: ContractResult = { verdict, assertions, ...counts }
  return gradingFact(sampleEpisode({ contract, ...changes }))
}

describe('gradingFact', () => {
  it.each([
    ['all passed', { types: 'pass', tests: 'pass', 'held-out': 'pass' }, [true, true]],
    ['the transcript differs', { types: 'pass', tests: 'pass', 'held-out': 'fail' }, [true, false]],
    ['tests failed, nothing compared', { tests: 'fail', 'held-out': 'fail' }, [false, false]],
    ['types failed alone', { types: 'fail', tests: 'pass', 'held-out': 'pass' }, [false, true]],
    ['not repeatable', { tests: 'pass', 'altered-tests': 'fail' }, [false, null]],
    ['visible tests only, passed', { types: 'pass', tests: 'pass' }, [true, null]],
    ['visible tests only, failed', { types: 'pass', tests: 'fail' }, [false, null]],
    ['a file is missing', { file: 'fail' }, [false, null]],
  ] as const)('%s', (_, verdicts, [visible, heldOut]) => {
    expect(read(verdicts)).toEqual({ visible, heldOut, verifier: null })
  })

  it('believes neither result beside a finding', () => {
    const findings = [{ code: 'report-forged', detail: 'a record nobody wrote' }]
    const integrity = { protectedFilesTouched: [], findings }
    expect(read({ tests: 'pass', 'held-out': 'pass' }, { integrity })).toMatchObject({
      visible: false,
      heldOut: false,
    })
  })

  it('says where the solution was graded', () => {
    const verifier = { sandbox: 'own-user', network: 'host', digest: digestBytes('v') } as const
    const environment = { ...sampleEpisode().environment, verifier }
    expect(read({ tests: 'pass' }, { environment })?.verifier).toEqual(verifier)
  })

  it('is absent for workflows and where nothing was evaluated', () => {
    expect(read({ tests: 'pass' }, { contract: null })).toBeUndefined()
    expect(read({ url: 'pass' }, { browser: sampleBrowser() })).toBeUndefined()
  })
})

it('a corrected verdict decides both results', () => {
  const grading = { visible: true, heldOut: false, verifier: null }
  expect(regradedFact(grading, true)).toEqual({ ...grading, heldOut: true })
  expect(regradedFact({ ...grading, heldOut: null }, false)).toEqual({
    visible: false,
    heldOut: null,
    verifier: null,
  })
})

it('is the same with and without a transcript, whatever scanners found in it', () => {
  const file = {
    role: 'transcript' as const,
    path: 'transcript.jsonl',
    digest: digestBytes('said'),
    sizeBytes: 90_000,
    droppedBytes: 0,
  }
  const episode = sampleEpisode()
  const told = sampleEpisode({ evidence: [...episode.evidence, file] })
  expect(episodeFact(told, 'local')).toEqual(episodeFact(episode, 'local'))
})
