import type { AttackClassId } from '../audit/attack-classes.ts'
import type { RuleCode } from '../eligibility/rule.ts'
import type { OutcomeStatus } from '../outcome.ts'
import type { FindingCode } from './findings.ts'

/** One class of attack: what stops it, and what an episode or a row says afterwards. */
export type Threat = {
  id: string
  title: string
  attack: string
  /** Says also where it does not hold. */
  stops: string
  shows: string
  /** How an attempt that tries it can end, where the attack shows in an outcome. */
  outcomes: readonly OutcomeStatus[]
  findings: readonly FindingCode[]
  /** Evidence rules that refuse the row. */
  rules: readonly RuleCode[]
  /** Classes of the audit that play it; none = the audit does not play it. */
  audit: readonly AttackClassId[]
}
