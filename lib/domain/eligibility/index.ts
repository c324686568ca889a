/** Public API of this module; other modules import only this file. */
export {
  decideEligibility,
  ELIGIBILITY_RULES,
  RULE_CODES,
  type RuleCode,
} from './decide-eligibility.ts'
export {
  type Eligibility,
  type EvaluatedHere,
  type EvaluationState,
  type EvidenceLabel,
  evaluatedHereSchema,
  evidenceLabelSchema,
  type RowRegistration,
  type RuleRefusal,
  rowRegistrationSchema,
  ruleRefusalSchema,
} from './eligibility.ts'
export {
  buildEvaluatedHere,
  type EvaluationView,
  evaluationViewSchema,
  foldEvaluations,
  viewEvaluation,
} from './evaluations.ts'
export {
  isConcerned,
  judgeRegistration,
  type RegistrationKeys,
  type RunStart,
  registrationKeys,
} from './judge-registration.ts'
export { POLICY, POLICY_VERSION, type Policy, policySchema, tightenPolicy } from './policy.ts'
export { type KnownPrograms, RELEASED_PROGRAMS } from './released-programs.ts'
export type {
  EligibilityContext,
  Invalidation,
  Rule,
} from './rule.ts'
export { countSamples } from './rules/completeness.ts'
export { findImitatedSubject, findMisuse, IDENTITY_FIELDS } from './shipped-subjects.ts'
export { findHidden, plainName, plainSubject, skeleton } from './skeleton.ts'
