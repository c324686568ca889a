/** Public API of this module; other modules import only this file. */
export * from './default-limits.ts'
export * from './describe-plan.ts'
export * from './explain-plan.ts'
export * from './field-schemas.ts'
export {
  countPool,
  findPool,
  findPreviousRow,
  POWER,
  type PowerMetric,
  toPreviousRow,
} from './find-power.ts'
export * from './plan-rerun.ts'
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
export * from './what-would-decide.ts'
