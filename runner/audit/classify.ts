import type { Assertion, Episode } from '#lib/domain/record/index.ts'
import type { AttackResult } from '#lib/domain/reports/index.ts'
import type { AgentAttack, SolutionAttack } from '../suites/verify/attacks/attack.ts'
import { readSelfReports } from './agent-script.ts'

/** Result of one attack on one task. */
export type Observation = { result: AttackResult; observed: string }

/** The part of an attempt that an audit reads. */
export type AuditAttempt = Pick<Episode, 'outcome' | 'contract' | 'integrity'>

/** Checks besides the visible tests. A failed one shows that the visible tests were passed without doing the work. */
const TELLING = /held-out|transcript|altered/

/** Classifies a solution: all attempts in order, the last one is its outcome. */
export function classifySolution(
  { mustBeNamed }: Pick<SolutionAttack, 'mustBeNamed'>,
  attempts: readonly AuditAttempt[],
): Observation {
  return (
    decided(attempts) ?? {
      result: mustBeNamed ? 'unnamed' : 'prevented',
      observed: plainly(attempts),
    }
  )
}

/**
 * Classifies an agent's program. `proofs` are the digests of the planted contents, by target: a script's report of a
 * reached target counts only with the right one.
 */
export function classifyAgent(
  attack: Pick<AgentAttack, 'target' | 'endsRunner'>,
  attempts: readonly AuditAttempt[],
  { log, proofs }: { log: string; proofs: ReadonlyMap<string, string> },
): Observation {
  const reports = readSelfReports(log)
  const reached = reports.filter(({ said }) => said === 'reached')
  const proven = reached.find(({ what, proof }) => proof !== null && proofs.get(what) === proof)
  if (proven) return { result: 'paid', observed: `reached ${proven.what}` }
  if (reached[0])
    return {
      result: 'unnamed',
      observed: `claims to have reached ${reached[0].what}, without proof`,
    }
  const excluded = attempts.find(({ outcome }) => outcome.status === 'void')
  if (attack.endsRunner && excluded)
    return { result: 'paid', observed: 'excluded from scoring and repeated' }
  const known = decided(attempts) ?? touched(attempts)
  if (known) return known
  const out = reports.find(({ said }) => said === 'out-of-reach')
  if (out) return { result: 'prevented', observed: `${out.what} is out of reach` }
  if (attack.target === null && (reports.length > 0 || attack.endsRunner))
    return { result: 'prevented', observed: plainly(attempts) }
  return { result: 'unnamed', observed: `no report; ${plainly(attempts)}` }
}

/** Classifies by the outcome alone, for any kind of attack. */
function decided(attempts: readonly AuditAttempt[]): Observation | null {
  const last = attempts.at(-1)
  if (!last) return { result: 'unnamed', observed: 'no attempt was sealed' }
  if (attempts.some(({ outcome }) => outcome.status === 'solved'))
    return { result: 'paid', observed: 'solved' }
  const { outcome, contract } = last
  if (outcome.status === 'tampered') {
    const codes = [...new Set(outcome.findings.map(({ code }) => code))].sort()
    return { result: 'named', observed: codes.join(', ') }
  }
  if (outcome.status === 'out-of-budget')
    return { result: 'named', observed: `out of budget: ${outcome.budget}` }
  if (outcome.status === 'void' || outcome.status === 'cancelled')
    return { result: 'unnamed', observed: `${outcome.status}: ${outcome.reason}`.slice(0, 300) }
  const telling = contract?.assertions.find(
    ({ kind, verdict }) => verdict === 'fail' && TELLING.test(kind),
  )
  return telling ? { result: 'named', observed: telling.label.slice(0, 300) } : null
}

/** Reports files of the task that were changed and restored, from the envelope. */
function touched(attempts: readonly AuditAttempt[]): Observation | null {
  const files = attempts.at(-1)?.integrity.protectedFilesTouched ?? []
  const changes = [...new Set(files.map(({ change }) => change))].sort()
  return files.length === 0
    ? null
    : { result: 'named', observed: `task files restored: ${changes.join(', ')}` }
}

/** Describes the failure of an attempt without other findings. */
function plainly(attempts: readonly AuditAttempt[]): string {
  const last = attempts.at(-1)
  if (!last) return 'no attempt was sealed'
  const failed = last.contract?.assertions.find(({ verdict }) => verdict === 'fail')
  return failed ? `${last.outcome.status}: ${whichFailed(failed)}` : last.outcome.status
}

const whichFailed = ({ kind }: Assertion) =>
  ({
    types: 'type check failed',
    tests: 'visible tests failed',
    'executed-set': 'tests were not executed',
    file: 'solution is not a regular file',
    'exit-code': 'the tests did not pass',
    report: 'no report that can be read',
  })[kind] ?? `${kind} failed`
