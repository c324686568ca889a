import { describe, expect, it } from 'vitest'
import { validCase } from '#lib/testing/cases/eligibility/invalid-case.ts'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import type { EpisodeFact, Evaluation } from '../record/index.ts'
import { decideEligibility } from './decide-eligibility.ts'
import {
  buildEvaluatedHere,
  foldEvaluations,
  needsEvaluation,
  RESTS_ON_SENDER,
  viewEvaluation,
} from './evaluations.ts'

const VERIFIER = { sandbox: 'bubblewrap', network: 'none', digest: `sha256:${'a'.repeat(64)}` }
const ID = `ep_${'1'.repeat(32)}`

function look(changes: Partial<Evaluation>): Evaluation {
  return {
    episodeId: ID,
    seal: `sha256:${'b'.repeat(64)}`,
    number: 1,
    reason: null,
    after: null,
    at: '2026-11-20T00:00:00.000Z',
    result: 'agreed',
    modelEvidence: 'not-needed',
    verifier: VERIFIER as Evaluation['verifier'],
    ...changes,
  }
}
const fold = (...looks: Partial<Evaluation>[]) =>
  foldEvaluations(looks.map((one, index) => look({ number: index + 1, ...one }))).get(ID)

describe('foldEvaluations', () => {
  it.each([
    ['agreed', [{}], 'agreed', null],
    ['the newest answer counts', [{}, { result: 'disagreed', reason: 'x' }], 'disagreed', 'x'],
    ['an answer outlives later trouble', [{}, { result: 'trouble' }], 'agreed', null],
    ['trouble is tried again', [{ result: 'trouble' }, { result: 'trouble' }], 'pending', null],
    [
      'trouble three times',
      [{ result: 'trouble' }, { result: 'trouble' }, { result: 'trouble', reason: 'no memory' }],
      'impossible',
      'could not be evaluated here: no memory',
    ],
    [
      'trouble of an earlier verifier is none of this one',
      [{ result: 'trouble', verifier: null }, { result: 'trouble' }, { result: 'trouble' }],
      'pending',
      null,
    ],
    ['alone', [{ result: 'no-evidence' }], 'impossible', 'no solution was sent'],
    ['came later', [{ result: 'no-evidence' }, {}], 'agreed', null],
    [
      'no sandbox',
      [{ result: 'no-sandbox', verifier: null }],
      'impossible',
      'not evaluated here: this machine has no sandbox',
    ],
    [
      'browser, judged by its stored state',
      [{ result: 'browser', policyVersion: 7 }],
      'browser',
      null,
    ],
    ['browser, as it was taken over before', [{ result: 'browser' }], 'pending', null],
  ] as const)('%s', (_, looks, state, reason) => {
    expect(fold(...looks)).toMatchObject({ state, reason })
  })

  it('reads the looks by their numbers, in whatever order they come', () => {
    const looks = [look({ number: 2, result: 'disagreed', reason: 'x' }), look({ number: 1 })]
    expect(foldEvaluations(looks).get(ID)?.state).toBe('disagreed')
  })

  it('holds a missing call log against it until a look sees one', () => {
    expect(fold({ modelEvidence: 'missing' })?.isModelSeen).toBe(false)
    expect(fold({ modelEvidence: 'missing' }, { modelEvidence: 'whole' })?.isModelSeen).toBe(true)
    expect(fold({ modelEvidence: 'whole' }, { modelEvidence: 'missing' })?.isModelSeen).toBe(true)
    const contradicted = fold({ modelEvidence: 'whole' }, { modelEvidence: 'contradicted' })
    expect(contradicted?.isModelSeen).toBe(false)
  })
})

const { facts } = sampleRun({ suite: sampleBoardSuite(3), repetitions: 2 })

it('asks only for what ran elsewhere and is scored by a verdict of our runner', () => {
  const fact = facts[0] as EpisodeFact
  const changes: [Partial<EpisodeFact>, boolean][] = [
    [{}, true],
    [{ provenance: 'manual' }, true],
    [{ provenance: 'oidc', status: 'unsolved', verdict: 'fail' }, true],
    [{ provenance: 'local' }, false],
    [{ mode: 'reported', verdict: null }, false],
    [{ status: 'void' }, false],
    [{ verdict: null }, false],
  ]
  for (const [change, wanted] of changes)
    expect([change, needsEvaluation({ ...fact, ...change })]).toEqual([change, wanted])
  expect(viewEvaluation({ ...fact, provenance: 'local' }, [])).toBeNull()
  expect(viewEvaluation(fact, [])).toMatchObject({ state: 'pending', at: null, looks: 0 })
})

it('counts a row: who was not looked at waits, a browser episode rests on its sender', () => {
  const results = ['agreed', 'agreed', 'disagreed', 'no-evidence', 'browser'] as const
  const looks = results.map((result, index) =>
    look({ episodeId: facts[index]?.episodeId ?? '', result, policyVersion: 7 }),
  )
  const counts = buildEvaluatedHere(facts, foldEvaluations(looks))
  expect(counts).toMatchObject({ agreed: 2, disagreed: 1, pending: 1, impossible: 2 })
  const browser = facts.map(({ episodeId }) =>
    look({ episodeId, result: 'browser', policyVersion: 7 }),
  )
  expect(buildEvaluatedHere(facts, foldEvaluations(browser))).toEqual({
    agreed: 0,
    disagreed: 0,
    pending: 0,
    impossible: 6,
    reason: RESTS_ON_SENDER,
  })
  const local = facts.map((fact) => ({ ...fact, provenance: 'local' as const }))
  expect(buildEvaluatedHere(local, new Map())).toBeUndefined()
})

describe('the evaluated-here rule', () => {
  const { facts: whole, context } = validCase('agent')
  const say = (looks: Evaluation[], rows = whole) =>
    decideEligibility(rows, { ...context, evaluations: foldEvaluations(looks) }).refusals
  const looksAt = (result: Evaluation['result'], count = whole.length) =>
    whole.slice(0, count).map(({ episodeId }) => look({ episodeId, result, policyVersion: 7 }))

  it('tells how far it is', () => {
    expect(say(looksAt('agreed', 5))).toMatchObject([
      {
        code: 'evaluated-here',
        reason: 'Evaluation of the stored solutions is in progress: 5 of 18 done.',
      },
    ])
    expect(say(looksAt('agreed'))).toEqual([])
  })

  it('lets a browser row rest on its sender, and asks nothing of what ran here', () => {
    expect(say(looksAt('browser'))).toEqual([])
    expect(
      say(
        [],
        whole.map((fact) => ({ ...fact, provenance: 'local' })),
      ),
    ).toEqual([])
  })

  it('takes no attempt without work for evidence about an agent of others', () => {
    const shipped = whole.map((fact) => ({ ...fact, subject: { ...fact.subject, name: 'claude' } }))
    const bare = looksAt('agreed').map((one) => ({ ...one, isUntouched: true as const }))
    expect(say(bare, shipped).find(({ code }) => code === 'evaluated-here')?.reason).toBe(
      '18 of 18 episodes from elsewhere contain nothing that could be judged, which is no evidence about claude.',
    )
    expect(say(bare), 'a model of a vendor').toMatchObject([{ code: 'evaluated-here' }])
    const provider = 'ollama@127.0.0.1:11434'
    const own = whole.map((fact) => ({ ...fact, subject: { ...fact.subject, provider } }))
    const codes = say(bare, own).map(({ code }) => code)
    expect(codes, 'agent and model of its sender').not.toContain('evaluated-here')
    const lost = looksAt('browser').map((one) => ({ ...one, reason: 'the browser had ended' }))
    expect(say(lost)).toMatchObject([{ code: 'evaluated-here' }])
  })

  it('names the reason that stands in the way', () => {
    expect(say(looksAt('no-sandbox'))[0]?.reason).toBe(
      '18 of 18 episodes from elsewhere could not be evaluated: not evaluated here: this machine has no sandbox.',
    )
    const bare = looksAt('agreed').map((one) => ({ ...one, modelEvidence: 'missing' as const }))
    expect(say(bare)).toMatchObject([{ code: 'mode-evidence' }])
  })
})
