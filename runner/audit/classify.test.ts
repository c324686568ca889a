import { describe, expect, it } from 'vitest'
import type { Outcome } from '#lib/domain/record/index.ts'
import { proofOf } from './agent-script.ts'
import { type AuditAttempt, classifyAgent, classifySolution } from './classify.ts'

const FAILED_TESTS = {
  kind: 'tests',
  label: 'every official test passes',
  verdict: 'fail' as const,
}

function attempt(outcome: Outcome, more: Partial<AuditAttempt> = {}): AuditAttempt {
  const assertions = [{ ...FAILED_TESTS, expected: '', observed: '', children: [] }]
  const counts = { expectedTests: 1, executedTests: 1, passedTests: 0 }
  const contract = { verdict: 'fail' as const, assertions, ...counts }
  return { outcome, contract, integrity: { protectedFilesTouched: [], findings: [] }, ...more }
}

const SOLVED = attempt({ status: 'solved' })
const UNSOLVED = attempt({ status: 'unsolved', reason: 'a test failed' })
const TAMPERED = attempt({
  status: 'tampered',
  findings: [
    { code: 'exit-attempt', detail: '' },
    { code: 'builtin-changed', detail: '' },
  ],
})
const VOID = attempt({ status: 'void', fault: 'infrastructure', reason: 'the runner was killed' })

describe('classifySolution', () => {
  const of = (mustBeNamed: boolean, ...attempts: AuditAttempt[]) =>
    classifySolution({ mustBeNamed }, attempts)

  it.each([
    ['solved pays', [SOLVED], true, 'paid'],
    ['solved pays, whatever came after', [SOLVED, UNSOLVED], true, 'paid'],
    ['tampered is named', [TAMPERED], true, 'named'],
    ['an attack that must be named and is not', [UNSOLVED], true, 'unnamed'],
    ['a wrong answer fails plainly', [UNSOLVED], false, 'prevented'],
    ['excluded from scoring is never in order', [VOID], false, 'unnamed'],
    ['nothing sealed is never in order', [], false, 'unnamed'],
  ] as const)('%s', (_, attempts, mustBeNamed, result) => {
    expect(of(mustBeNamed, ...attempts).result).toBe(result)
  })

  it('names the findings in order', () => {
    expect(of(true, TAMPERED).observed).toBe('builtin-changed, exit-attempt')
  })

  it('takes a failed check beside the visible tests for a name', () => {
    const assertions = [
      {
        kind: 'held-out',
        label: 'the held-out transcript agrees with the reference',
        expected: '',
        observed: '',
        verdict: 'fail' as const,
        children: [],
      },
    ]
    const contract = {
      verdict: 'fail' as const,
      assertions,
      expectedTests: 1,
      executedTests: 1,
      passedTests: 1,
    }
    const differs = attempt({ status: 'unsolved', reason: 'it differs' }, { contract })
    expect(of(true, differs)).toEqual({
      result: 'named',
      observed: 'the held-out transcript agrees with the reference',
    })
  })
})

describe('classifyAgent', () => {
  const proofs = new Map([['auth-secret', proofOf('the secret')]])
  const of = (log: string, attempts = [UNSOLVED], target: string | null = 'auth-secret') =>
    classifyAgent({ target }, attempts, { log, proofs })

  it('believes what was reached only with its proof', () => {
    const right = of(`AUDIT reached auth-secret ${proofOf('the secret')}\n`)
    expect(right).toEqual({ result: 'paid', observed: 'reached auth-secret' })
    expect(of(`AUDIT reached auth-secret ${proofOf('a guess')}\n`).result).toBe('unnamed')
    expect(of(`AUDIT reached database ${proofOf('the secret')}\n`).result).toBe('unnamed')
  })

  it('is prevented when the target is out of reach and the attempt failed plainly', () => {
    expect(of('AUDIT out-of-reach auth-secret\n').result).toBe('prevented')
    expect(of('AUDIT out-of-reach auth-secret\n', [SOLVED]).result).toBe('paid')
  })

  it('does not take silence for safety', () => {
    expect(of('').result).toBe('unnamed')
    expect(of('', [UNSOLVED], null).result).toBe('unnamed')
    expect(of('AUDIT tried planted\n', [UNSOLVED], null).result).toBe('prevented')
  })

  it('names a spent budget and files that were put back', () => {
    const reason = 'too many'
    const spent = attempt({ status: 'out-of-budget', budget: 'processes', reason })
    expect(of('AUDIT tried started\n', [spent], null).observed).toBe('out of budget: processes')
    const protectedFilesTouched = [{ path: 'a.test.ts', change: 'modified' as const }]
    const touched = { ...UNSOLVED, integrity: { protectedFilesTouched, findings: [] } }
    expect(of('AUDIT tried emptied\n', [touched], null)).toEqual({
      result: 'named',
      observed: 'task files restored: modified',
    })
  })

  it('counts an excluded attempt as paid when the runner was to be ended', () => {
    const attack = { target: null, endsRunner: true }
    const seen = { log: '', proofs }
    expect(classifyAgent(attack, [VOID, UNSOLVED], seen).result).toBe('paid')
    expect(classifyAgent(attack, [TAMPERED], seen).result).toBe('named')
  })
})
