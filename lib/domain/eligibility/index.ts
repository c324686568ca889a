/** The public face of this module: other rooms import from here alone. */
export {
  decideEligibility,
  ELIGIBILITY_RULES,
  RULE_CODES,
  type RuleCode,
  refuseFlip,
} from './decide-eligibility.ts'
export {
  type Eligibility,
  type EvidenceLabel,
  evidenceLabelSchema,
  type RuleRefusal,
  ruleRefusalSchema,
} from './eligibility.ts'
export {
  buildEvaluatedHere,
  type EvaluatedHere,
  type EvaluationState,
  type EvaluationView,
  evaluatedHereSchema,
  evaluationViewSchema,
  foldEvaluations,
  viewEvaluation,
} from './evaluations.ts'
export {
  judgeRegistration,
  type RowRegistration,
  rowRegistrationSchema,
} from './judge-registration.ts'
export { POLICY, POLICY_VERSION, type Policy, policySchema, tightenPolicy } from './policy.ts'
export { type KnownPrograms, RELEASED_PROGRAMS } from './released-programs.ts'
export type {
  CompetitorRow,
  EligibilityContext,
  Invalidation,
  PlannedSlot,
  PlanTerms,
  Rule,
} from './rule.ts'
export { countSamples, listMissing } from './rules/completeness.ts'
export { drivenOf, isLlmDriven } from './rules/model.ts'
export { findImitatedSubject, findMisuse, IDENTITY_FIELDS } from './shipped-subjects.ts'
export { findHidden, skeleton } from './skeleton.ts'
