/** Public API of this module; other modules import only this file. */
export * from './decide-eligibility.ts'
export * from './eligibility.ts'
export {
  buildEvaluatedHere,
  type EvaluationView,
  evaluationViewSchema,
  foldEvaluations,
  needsEvaluation,
  viewEvaluation,
} from './evaluations.ts'
export * from './judge-registration.ts'
export * from './policy.ts'
export * from './released-programs.ts'
export type {
  EligibilityContext,
  Invalidation,
  Rule,
} from './rule.ts'
export { countSamples } from './rules/completeness.ts'
export { findImitatedSubject, findMisuse, IDENTITY_FIELDS } from './shipped-subjects.ts'
export * from './skeleton.ts'
