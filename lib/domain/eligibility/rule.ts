import type { Refusal } from '../board/board-row.ts'
import type { GateCase } from './eligibility-context.ts'
import type { Policy } from './policy.ts'

export const RULE_CODES = [
  'mode',
  'postcondition',
  'same-contract',
  'pins',
  'identity',
  'subject-kind',
  'harness',
  'samples',
  'llm-pins',
  'frozen-plan',
  'policy-version',
  'model-observed',
  'unmetered',
  'answers-out-of-reach',
  'independent',
  'retries',
  'complete',
  'void-attempts',
  'integrity',
  'invalidated',
  'regraded',
  'evaluated-here',
  'mode-evidence',
  'provenance',
  'registered',
  'fault-fired',
  'fault-baseline',
] as const
export type RuleCode = (typeof RULE_CODES)[number]

/**
 * One evidence rule. `demand` is shown on the methodology page; `check` returns null when the rule is met, otherwise
 * what is wrong and how to fix it, each in one or two sentences.
 */
export type Rule = {
  code: RuleCode
  /** True when the rule comes from the seed document and may not be weakened. */
  fromSeed: boolean
  demand: (policy: Policy) => string
  check: (gate: GateCase) => Complaint | null
}

export type Complaint = Pick<Refusal, 'reason' | 'remedy'>
