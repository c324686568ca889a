/** Public API of this module; other modules import only this file. */
export {
  badgeMarkdown,
  badgePath,
  badgeText,
  formatBadgeRate,
  formatSampleSize,
  formatTier,
  NO_ROW,
  renderBadge,
  rowPath,
  rowPreviewPath,
  shieldsResponse,
  shieldsResponseSchema,
  UNRANKED_WORDS,
} from './badge.ts'
export {
  type BoardEffect,
  boardEffectSchema,
  compareBoards,
  describeRowEffect,
  type RowEffect,
  type RowSide,
} from './board-effect.ts'
export { boardOfResults, resultsOf, suiteFromPlans } from './board-of-results.ts'
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
export type { BuildBoardInput, EligibilityInput } from './build-board-input.ts'
export { boardPolicy, buildEligibility, findCopies, suiteKinds } from './build-eligibility.ts'
export { findMixed } from './build-row.ts'
export { buildCountedFacts, buildRowGroups } from './build-row-groups.ts'
export { SAMPLE_AGENT, sampleBoardSuite, sampleRun } from './build-sample-run.ts'
export { type CategoryRate, categoryRates } from './category-rates.ts'
export { countArms } from './count-arms.ts'
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
export { type EntryStyle, entryStyles } from './entry-styles.ts'
export { isRow, pickRow } from './find-row.ts'
export {
  type BoardFrame,
  type CopiesByPart,
  IncrementalBoard,
} from './incremental-board.ts'
export {
  countControls,
  findChecked,
  type InstrumentCheck,
} from './instrument-checks.ts'
export {
  buildResultRows,
  type JudgedRow,
  judgeResults,
  type Result,
  type ResultRow,
} from './judge-results.ts'
export {
  type FieldValue,
  LEADERBOARD_CSV_COLUMNS,
  LEADERBOARD_FIELDS,
  leaderboardCells,
  overallRate,
} from './leaderboard-fields.ts'
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
export {
  type BilledExtras,
  CONTRADICTION,
  flatPrice,
  type Price,
  type PriceUsage,
  priceGiven,
  type UsageToPrice,
  unpriced,
} from './price.ts'
export {
  boardFile,
  insertBetweenMarkers,
  publishedMarkdown,
} from './published-board.ts'
export { RANKING_METHOD } from './rank-board.ts'
export { changeKey, listRowPairs, pickRowChanges, type RowChange } from './row-changes.ts'
export type { RowGroup } from './row-group.ts'
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
export { rowNotices } from './row-notices.ts'
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
export { successRate } from './success-rate.ts'
export { summaryMarkdown } from './summary-markdown.ts'
export {
  type ModelCutoff,
  modelCutoffsFileSchema,
  rowExposure,
  SHIPPED_CUTOFFS,
  type TaskExposure,
  taskExposureSchema,
} from './task-exposure.ts'
export {
  type ModelledRow,
  modelledRowSchema,
  modelledRows,
  type TaskStatistics,
  taskStatistics,
  taskStatisticsSchema,
  type VerifierErrors,
  verifierErrors,
  verifierErrorsSchema,
} from './task-statistics.ts'
