/** Public API of this module; other modules import only this file. */
export { buildReported, reportedSuite, reportedSuiteId } from './build-reported.ts'
export * from './correct-episode.ts'
export * from './escrow/build-escrowed.ts'
export * from './escrow/check-job.ts'
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
export * from './feed.ts'
export * from './harbor-trial.ts'
export * from './judge-incoming.ts'
export * from './notification.ts'
export { fromHarbor, type HarborJob, nameGroup } from './parse-harbor.ts'
export {
  fromInspect,
  type InspectHeader,
  type InspectParts,
  inspectHeaderSchema,
} from './parse-inspect.ts'
export * from './parse-inspect-sample.ts'
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
export * from './read-test-run.ts'
export * from './read-xml.ts'
export {
  AGENT_ERROR_FILE,
  findContradiction,
  reportedFacts,
  TEST_ERROR_FILE,
} from './reported-facts.ts'
export { lacksZone, type ReportedRun } from './reported-run.ts'
export type * from './reported-test.ts'
export * from './submission-details.ts'
export * from './test-report.ts'
export { fromTsBench, refuseTsBench, tsBenchRunSchema } from './ts-bench.ts'
export * from './write-atif.ts'
export { evaluationDetails, gradingDetails, toEee } from './write-eee.ts'
export * from './write-export.ts'
