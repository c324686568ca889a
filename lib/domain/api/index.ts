/** Public API of this module; other modules import only this file. */
export * from './action-result.ts'
export type * from './admin-view.ts'
export {
  BOARD_CHARTS,
  type BoardChart,
  type ChartScale,
} from './chart-view.ts'
export * from './describe-episode.ts'
export * from './endpoints/board.ts'
export * from './endpoints/feeds.ts'
export * from './endpoints/ledger.ts'
export * from './endpoints/methods.ts'
export * from './endpoints/runs.ts'
export * from './endpoints.ts'
export {
  type EpisodeView,
  formatPruned,
  type LogRange,
  type LogWindow,
  type PrunedNote,
  type SearchHit,
  type SearchPart,
  type SearchPartial,
  type WindowLine,
} from './episode-view.ts'
export * from './headers.ts'
export * from './launch-view.ts'
export * from './ledger-view.ts'
export type {
  NameCount,
  NamedKind,
  NamedRow,
  NamedRows,
  OutcomeCount,
  TaskTexts,
} from './list-named-rows.ts'
export { countNames, listNamedRows, listNames } from './list-named-rows.ts'
export * from './live-view.ts'
export * from './llms-text.ts'
export * from './openapi.ts'
export { cutPage, endPage } from './page.ts'
export * from './planner-view.ts'
export {
  applyRateLimit,
  type RateLimitResult,
  type ReadLimit,
  type ReadPool,
  readLimit,
} from './rate-limit.ts'
export type { ReadEndpoint } from './read-endpoint.ts'
export {
  CORRECTION_OFFERS,
  type CorrectionOffer,
  type EpisodeCell,
  type EpisodeSummary,
  episodeSummarySchema,
  type MachinesView,
  type MachineView,
  type QueueJob,
  type QueueView,
  type RunningJob,
  type RunOffer,
  type RunOffers,
  type RunSummary,
  type RunView,
  type SubmissionView,
  type WaitingJob,
} from './run-view.ts'
export { FORMATS, problemSchema, publishSchema } from './schemas.ts'
export * from './show-operations.ts'
export {
  type RowView,
  type SubjectSummary,
  type SubjectView,
  type SuiteSummary,
  type SuiteVersion,
  type SuiteView,
  subjectSummarySchema,
  type TaskView,
} from './suite-view.ts'
export type { ScanCounts, TranscriptView } from './transcript-view.ts'
export {
  canCommit,
  effectBase,
  ITEM_KINDS,
  type ItemKind,
  MAX_ITEMS,
  type PreviewItem,
  type PreviewRun,
  type UploadEffect,
  type UploadPreview,
  type UploadState,
  type UploadView,
  uploadEffectSchema,
  uploadPreviewSchema,
} from './upload-view.ts'
export {
  planRegistrationsSchema,
  registrationResponseSchema,
  WRITE_ENDPOINTS,
} from './write-endpoint.ts'
