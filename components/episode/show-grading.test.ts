import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { Assertion, EpisodeBody, Verdict } from '#lib/domain/record/index.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { ContractTree } from './contract-tree.tsx'
import { EpisodeFacts } from './episode-facts.tsx'
import { IntegrityFindings, OutcomeBanner } from './outcome.tsx'

const SENTENCE =
  'Passed all visible tests, but behaves differently from the reference on held-out inputs.'

const part = (kind: string, verdict: Verdict, more: Partial<Assertion> = {}): Assertion => {
  return { kind, label: kind, expected: '', observed: '', verdict, children: [], ...more }
}

const DIFFERS = part('held-out', 'fail', {
  expected: '120 observations, seeds 3c and 7f',
  observed: 'another transcript',
  children: [part('observation', 'fail', { label: 'first difference, seed 7f' })],
})

function judged(assertions: Assertion[], changes: Partial<EpisodeBody> = {}) {
  const isPassed = assertions.every(({ verdict }) => verdict === 'pass')
  return sampleEpisode({
    contract: {
      verdict: isPassed ? 'pass' : 'fail',
      assertions,
      expectedTests: 8,
      executedTests: 8,
      passedTests: 8,
    },
    outcome: isPassed ? { status: 'solved' } : { status: 'unsolved', reason: 'it differs' },
    ...changes,
  })
}

const banner = (...assertions: Assertion[]) =>
  renderToStaticMarkup(createElement(OutcomeBanner, { episode: judged(assertions) }))

const tree = (...assertions: Assertion[]) => {
  const { contract } = judged(assertions)
  return contract === null ? '' : renderToStaticMarkup(createElement(ContractTree, { contract }))
}

describe('the outcome banner', () => {
  it('says when only the held-out transcript failed', () => {
    expect(banner(part('tests', 'pass'), DIFFERS)).toContain(SENTENCE)
    expect(banner(part('tests', 'fail'), part('held-out', 'fail'))).not.toContain(SENTENCE)
    expect(banner(part('tests', 'fail'))).not.toContain(SENTENCE)
    expect(banner(part('tests', 'pass'), part('held-out', 'pass'))).not.toContain(SENTENCE)
  })
})

describe('the contract tree', () => {
  it('says what became of the transcript, and how much was compared', () => {
    const failed = tree(part('tests', 'pass'), DIFFERS)
    expect(failed).toContain('held-out transcript differs from the reference')
    expect(failed).toContain('another transcript')
    expect(failed).toContain('120 observations, seeds 3c and 7f')
    const expected = '14 expectations altered: 6 tests fail, the others pass again'
    const passed = tree(part('altered-tests', 'pass', { expected }), part('held-out', 'pass'))
    expect(passed).toContain('held-out transcript matches the reference')
    expect(passed).toContain(expected)
    expect(tree(part('tests', 'fail'), part('held-out', 'fail'))).toContain(
      'held-out transcript not compared',
    )
    expect(tree(part('tests', 'pass'))).toContain('visible tests only')
  })
})

it('shows what graded and where, and nothing where it was not recorded', () => {
  const facts = (changes: Partial<EpisodeBody>) => {
    const episode = sampleEpisode(changes)
    return renderToStaticMarkup(
      createElement(EpisodeFacts, { episode, provenance: 'local', evaluatedHere: null }),
    )
  }
  const verifier = { sandbox: 'bubblewrap', network: 'none', digest: digestBytes('v') } as const
  const shown = facts({ environment: { ...sampleEpisode().environment, verifier } })
  expect(shown).toContain('in bubblewrap, no network')
  expect(shown).toContain(verifier.digest.slice('sha256:'.length, 'sha256:'.length + 8))
  expect(facts({})).not.toContain('Verifier digest')
})

it('explains a finding before its detail, and shows an unknown one as it is', () => {
  const findings = [
    { code: 'copied-reference', detail: 'a.ts is the reference' },
    { code: 'constructor', detail: 'from a later version' },
  ]
  const integrity = { protectedFilesTouched: [], findings }
  const shown = renderToStaticMarkup(createElement(IntegrityFindings, { integrity }))
  expect(shown).toContain('The solution is the reference with different names')
  expect(shown).toContain('a.ts is the reference')
  expect(shown).toContain('from a later version')
})
