import type { EpisodeFact } from '../record/index.ts'
import type { Eligibility, EvidenceLabel, RuleRefusal } from './eligibility.ts'
import type { EligibilityContext, Rule } from './rule.ts'
import { completeRule, retriesRule, samplesRule, voidAttemptsRule } from './rules/completeness.ts'
import {
  faultBaselineRule,
  faultFiredRule,
  modeEvidenceRule,
  modeRule,
  postconditionRule,
  provenanceRule,
} from './rules/evidence.ts'
import { harnessRule, identityRule, independentRule, subjectKindRule } from './rules/identity.ts'
import {
  answersOutOfReachRule,
  modelObservedRule,
  temperatureSentRule,
  unmeteredRule,
} from './rules/model.ts'
import {
  frozenPlanRule,
  isExact,
  llmPinsRule,
  pinsRule,
  policyVersionRule,
  registeredRule,
} from './rules/pins.ts'
import {
  evaluatedHereRule,
  gradedInSandboxRule,
  integrityRule,
  invalidatedRule,
  regradedRule,
  sameContractRule,
  unguessableRule,
} from './rules/verdict.ts'

/**
 * Checks every evidence rule and returns all refusals, in the fixed order of the rules. `facts` are the
 * counted episodes of one row, in any order; `kinds` one episode of each kind (`listKinds`). Pure; never throws on odd facts.
 */
export function decideEligibility(
  facts: readonly EpisodeFact[],
  context: EligibilityContext,
  kinds: readonly EpisodeFact[] = facts,
): Eligibility {
  const refusals = ELIGIBILITY_RULES.flatMap(({ code, check, isByKind }: Rule<RuleCode>) => {
    const isMet = isByKind === true && check({ facts: kinds, kinds, context }) === null
    const complaint = isMet ? null : check({ facts, kinds, context })
    return complaint ? [{ code, ...complaint }] : []
  })
  const eligible = refusals.length === 0
  return { label: labelOf(kinds, refusals), eligible, refusals }
}

function labelOf(facts: readonly EpisodeFact[], refusals: readonly RuleRefusal[]): EvidenceLabel {
  if (refusals.length === 0) return facts.some(({ fault }) => fault !== null) ? 'stress' : 'primary'
  if (isInEscrow(facts, refusals)) return 'escrow'
  // Results reported by another program may be real measurements, so they are not scaffolds.
  const isReported = facts.every(({ mode }) => mode === 'reported')
  if (!isReported && refusals.some(({ code }) => code === 'mode')) return 'scaffold'
  return refusals.every(({ code }) => code === 'samples') ? 'smoke' : 'diagnostic'
}

/** Rules about mode, machine, release and metering, which another harness cannot meet. */
const OPEN_IN_ESCROW: ReadonlySet<string> = new Set(
  [modeRule, pinsRule, harnessRule, unmeteredRule].map(({ code }) => code),
)

/** True if every other rule is met, and the subject's version is exact. */
function isInEscrow(facts: readonly EpisodeFact[], refusals: readonly RuleRefusal[]): boolean {
  return (
    facts.every(({ escrow, subject }) => escrow === true && isExact(subject.version)) &&
    refusals.every(({ code }) => OPEN_IN_ESCROW.has(code))
  )
}

/** All evidence rules, in the order in which a row lists its refusals. */
export const ELIGIBILITY_RULES = [
  modeRule,
  postconditionRule,
  sameContractRule,
  pinsRule,
  identityRule,
  subjectKindRule,
  harnessRule,
  samplesRule,
  llmPinsRule,
  frozenPlanRule,
  policyVersionRule,
  modelObservedRule,
  temperatureSentRule,
  unmeteredRule,
  answersOutOfReachRule,
  gradedInSandboxRule,
  independentRule,
  retriesRule,
  completeRule,
  voidAttemptsRule,
  integrityRule,
  unguessableRule,
  invalidatedRule,
  regradedRule,
  evaluatedHereRule,
  modeEvidenceRule,
  provenanceRule,
  registeredRule,
  faultFiredRule,
  faultBaselineRule,
] as const

export type RuleCode = (typeof ELIGIBILITY_RULES)[number]['code']

export const RULE_CODES: readonly RuleCode[] = ELIGIBILITY_RULES.map(({ code }) => code)
