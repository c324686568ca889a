/** Public API of this module; other modules import only this file. */
export * from './badge.ts'
export * from './board-effect.ts'
export * from './board-of-results.ts'
export {
  type ArmCounts,
  armCountsSchema,
  type Board,
  type BoardRow,
  boardRowSchema,
  boardSchema,
  type RankPool,
  type RowTask,
} from './board-row.ts'
export {
  type BoardTexts,
  digestBoard,
  joinStoredBoard,
  type RowText,
  serializeBoard,
  splitBoard,
} from './board-texts.ts'
export { buildBoard } from './build-board.ts'
export type * from './build-board-input.ts'
export { boardPolicy, buildEligibility, findCopies, suiteKinds } from './build-eligibility.ts'
export { findMixed } from './build-row.ts'
export * from './build-row-groups.ts'
export * from './category-rates.ts'
export * from './count-arms.ts'
export { buildCountedFacts } from './counted-facts.ts'
export {
  countOwed,
  decideStop,
  describeStop,
  findStop,
  formatStop,
  formatStopVerdict,
  ownVerdict,
  type SideEnds,
  type StopDecision,
} from './decide-stop.ts'
export * from './entry-styles.ts'
export * from './find-row.ts'
export * from './incremental-board.ts'
export {
  countRows,
  findChecked,
  formatRowCounts,
  type InstrumentCheck,
} from './instrument-checks.ts'
export * from './judge-results.ts'
export * from './leaderboard-fields.ts'
export {
  boardInput,
  type LedgerBook,
  LedgerReader,
  listIncluded,
  ReceivedFacts,
  receiveEpisodes,
  receiveFacts,
  receiveRuns,
} from './ledger-input.ts'
export { formatModels, shareModels } from './model-shares.ts'
export type { PlannedRun } from './planned-slots.ts'
export { buildPlannedSlots } from './planned-slots.ts'
export * from './price.ts'
export * from './published-board.ts'
export { RANKING_METHOD } from './rank-board.ts'
export * from './row-changes.ts'
export type * from './row-group.ts'
export {
  type HistoryQuery,
  type HistoryRow,
  type HistorySubject,
  listHistorySubjects,
  rowHistory,
} from './row-history.ts'
export type { Distribution, FailureKind, Rate } from './row-measures.ts'
export {
  type BrowserMetrics,
  type GradingMetrics,
  gradingMetricsSchema,
  type RungCounts,
  rungCountsSchema,
} from './row-measures.ts'
export { buildGradingMetrics } from './row-metrics.ts'
export * from './row-notices.ts'
export {
  commonVerifier,
  EVIDENCE_LABELS,
  EVIDENCE_WORDS,
  formatConditions,
  formatCoverage,
  formatRank,
  formatRepetitions,
  formatSamples,
  formatShape,
  PROVENANCE_WORDS,
  rankPoolOf,
} from './row-words.ts'
export * from './success-rate.ts'
export * from './summary-markdown.ts'
export {
  type ModelCutoff,
  modelCutoffsFileSchema,
  rowExposure,
  SHIPPED_CUTOFFS,
  type TaskExposure,
  taskExposureSchema,
} from './task-exposure.ts'
export * from './task-statistics.ts'
