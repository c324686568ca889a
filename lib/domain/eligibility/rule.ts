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
 * One rule of the headline gate. `demand` stands on the methodology page; `check` answers null when it is met, else
 * what is wrong and what would mend it, each in one sentence or two.
 */
export type Rule = {
  code: RuleCode
  /** True when the rule comes from the seed document and may not be weakened. */
  fromSeed: boolean
  demand: (policy: Policy) => string
  check: (gate: GateCase) => Complaint | null
}

export type Complaint = Pick<Refusal, 'reason' | 'remedy'>
