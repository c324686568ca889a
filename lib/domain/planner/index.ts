/** Public API of this module; other modules import only this file. */
export { defaultLimits, withDefaultLimits } from './default-limits.ts'
export {
  aboutDuration,
  describeCost,
  describePlan,
  describeTime,
  formatPoints,
} from './describe-plan.ts'
export { type Alternative, type Explanation, explainPlan } from './explain-plan.ts'
export { limitShape, limitsOf, limitTexts, orNull, typed } from './field-schemas.ts'
export {
  countPool,
  findPool,
  findPreviousRow,
  POWER,
  type PowerMetric,
  toPreviousRow,
} from './find-power.ts'
export { planRerun, type Rerun } from './plan-rerun.ts'
export {
  planTopUp,
  SUITE_CHANGED,
  type TaskNeed,
  type TopUp,
  type TopUpDraft,
  type TopUpGoal,
  type TopUpRefusal,
} from './plan-top-up.ts'
export { type PreviousEpisode, previousEpisode } from './quote.ts'
export { decisionSchema, whatWouldDecide } from './what-would-decide.ts'
