/** Public API of this module; other modules import only this file. */
export { buildReported, reportedSuite, reportedSuiteId } from './build-reported.ts'
export { correctEpisode } from './correct-episode.ts'
export { buildEscrowed } from './escrow/build-escrowed.ts'
export { checkEscrow } from './escrow/check-job.ts'
export {
  type EscrowJob,
  type EscrowPlan,
  type EscrowTrial,
  escrowAtifSchema,
  escrowJobSchema,
  escrowLockSchema,
  escrowTrialSchema,
} from './escrow/escrow-job.ts'
export { type ReadJob, readJobTerms } from './escrow/job-terms.ts'
export { type Exported, type ExportedEpisode, exportBundle } from './exported.ts'
export {
  changeItem,
  FEED_KINDS,
  type Feed,
  type FeedItem,
  jsonFeedSchema,
  ledgerItem,
  writeAtom,
  writeJsonFeed,
} from './feed.ts'
export { type HarborTrial, harborTrialSchema } from './harbor-trial.ts'
export {
  type IncomingEpisode,
  type IncomingRefusal,
  type JudgedIncoming,
  judgeAttempts,
  judgeIncoming,
  type StoredEpisode,
} from './judge-incoming.ts'
export { type Notification, notificationBody } from './notification.ts'
export { fromHarbor, type HarborJob, nameGroup } from './parse-harbor.ts'
export {
  fromInspect,
  type InspectHeader,
  type InspectParts,
  inspectHeaderSchema,
} from './parse-inspect.ts'
export {
  chooseScorer,
  type InspectSample,
  inspectSampleSchema,
  judgeInspectSample,
  openInspectSample,
} from './parse-inspect-sample.ts'
export {
  ctrfSchema,
  fromCtrf,
  fromJunit,
  type JunitCase,
  type JunitDocument,
  MAX_TEST_REPORT_BYTES,
  type TestReport,
} from './parse-test-reports.ts'
export { type Atif, atifSchema } from './read-atif.ts'
export { readTestRun } from './read-test-run.ts'
export { type XmlHandler, XmlProblem, XmlReader } from './read-xml.ts'
export {
  AGENT_ERROR_FILE,
  findContradiction,
  reportedFacts,
  TEST_ERROR_FILE,
} from './reported-facts.ts'
export { lacksZone, type ReportedRun } from './reported-run.ts'
export type { ReportedTest } from './reported-test.ts'
export {
  formatMismatch,
  readSubmissionDetails,
  SUBMISSION_DETAIL_FIELDS,
  type SubmissionDetails,
  submissionDetailsSchema,
} from './submission-details.ts'
export { fromTests } from './test-report.ts'
export { fromTsBench, refuseTsBench, tsBenchRunSchema } from './ts-bench.ts'
export { toAtif } from './write-atif.ts'
export { evaluationDetails, gradingDetails, toEee } from './write-eee.ts'
export {
  BOARD_FORMATS,
  type BoardFormat,
  EXPORT_FORMATS,
  type ExportFormat,
  exportFileName,
  FILE_KINDS,
  TRANSCRIPT_FORMATS,
  writeExport,
} from './write-export.ts'
