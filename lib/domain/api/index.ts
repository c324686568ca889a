/** Public API of this module; other modules import only this file. */
export {
  type ActionRefusal,
  type ActionResult,
  type FormAction,
  refusal,
  type ShownOnce,
} from './action-result.ts'
export type {
  AccountView,
  AuditFilter,
  AuditLine,
  AuditView,
  OidcView,
  SessionView,
  TokenView,
} from './admin-view.ts'
export {
  BOARD_CHARTS,
  type BoardChart,
  type ChartScale,
} from './chart-view.ts'
export { describeEpisode, isDescribed } from './describe-episode.ts'
export {
  badgeEndpoint,
  chartEndpoint,
  compareEndpoint,
  comparePreviewEndpoint,
  leaderboardEndpoint,
  reportEndpoint,
  reportsEndpoint,
  rowEndpoint,
  rowPreviewEndpoint,
  shieldsEndpoint,
  subjectEndpoint,
  subjectsEndpoint,
  suiteEndpoint,
  suitesEndpoint,
  taskEndpoint,
  tasksEndpoint,
  topUpEndpoint,
} from './endpoints/board.ts'
export { atomFeedEndpoint, jsonFeedEndpoint } from './endpoints/feeds.ts'
export {
  ledgerEndpoint,
  ledgerFileEndpoint,
  ledgerHeadEndpoint,
  ledgerKeyEndpoint,
  planEndpoint,
} from './endpoints/ledger.ts'
export {
  healthEndpoint,
  liveEndpoint,
  llmsEndpoint,
  methodologyEndpoint,
  openApiEndpoint,
  readyEndpoint,
  schemaEndpoint,
  schemasEndpoint,
} from './endpoints/methods.ts'
export {
  atifEndpoint,
  boardExportEndpoint,
  episodeEndpoint,
  episodesEndpoint,
  logLinesEndpoint,
  logSearchEndpoint,
  logsEndpoint,
  rawLogEndpoint,
  rowExportEndpoint,
  runEndpoint,
  runEventsEndpoint,
  runExportEndpoint,
  runLogEndpoint,
  runsEndpoint,
  screenshotEndpoint,
  transcriptEndpoint,
} from './endpoints/runs.ts'
export { READ_ENDPOINTS } from './endpoints.ts'
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
export { accepts, parseRangeHeader } from './headers.ts'
export {
  type FreezeResult,
  type FrozenView,
  type LaunchView,
  type PresetView,
  viewFrozen,
} from './launch-view.ts'
export {
  type CorrectionNote,
  correctionNotes,
  type LedgerFilter,
  type LedgerView,
} from './ledger-view.ts'
export type {
  NameCount,
  NamedKind,
  NamedRow,
  NamedRows,
  OutcomeCount,
  TaskTexts,
} from './list-named-rows.ts'
export { countNames, listNamedRows, listNames } from './list-named-rows.ts'
export {
  estimateLeft,
  formatCursor,
  frameEvent,
  type LiveLine,
  type LogCursor,
  parseCursor,
  type RunLogTail,
  type RunningAttempt,
  type RunState,
  type StreamEvent,
} from './live-view.ts'
export { buildLlmsText } from './llms-text.ts'
export { API_PREFIX, buildOpenApi } from './openapi.ts'
export { cutPage, endPage } from './page.ts'
export {
  isSubjectNamed,
  OTHER_SUBJECT,
  PLAN_FIELDS,
  type PlanCommand,
  type PlanField,
  type PlanFields,
  type PlannerView,
  type PlanProblem,
  type TopUpView,
} from './planner-view.ts'
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
export {
  curlLine,
  listOperations,
  operationUrl,
  type ShownOperation,
  type ShownParameter,
  shortenExample,
} from './show-operations.ts'
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
