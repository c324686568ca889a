/** Public API of this module; other modules import only this file. */
export { type Activation, sumActivation } from './activation.ts'
export {
  type AnyEpisode,
  type AnyPlan,
  anyEpisodeSchema,
  anyPlanSchema,
  isFrozen,
  isMeasured,
  REPORTED_SCHEMA_VERSION,
  type ReportedBody,
  type ReportedEpisode,
  type ReportedPlan,
  reportedPlanSchema,
  type Source,
} from './any-record.ts'
export * from './arm-words.ts'
export {
  type BrowserRecord,
  type MachineLoad,
  type Rung,
  rungSchema,
  TRACE_FILE,
  type TracedAction,
  tracedActionSchema,
} from './browser.ts'
export {
  type AnyBundle,
  anyBundleSchema,
  BUNDLE_KIND,
  type Bundle,
  compareEpisodes,
  mergeBundles,
} from './bundle.ts'
export { listTemperatures, sumModels } from './call-sums.ts'
export * from './compare-calls.ts'
export * from './environment.ts'
export {
  CALLS_FILE,
  type Episode,
  type EpisodeBody,
  type EvidenceFile,
  episodeBodySchema,
  evidenceFileSchema,
  type PromptRecord,
  WORKSPACE_FILE,
} from './episode.ts'
export {
  type BrowserFact,
  type EpisodeFact,
  episodeFact,
  type Grading,
  gradingFact,
  gradingSchema,
  isLlmDriven,
  regradedFact,
} from './episode-fact.ts'
export * from './episode-kinds.ts'
export * from './expand-plan.ts'
export * from './fact-shape.ts'
export * from './film.ts'
export * from './gateway-call.ts'
export * from './group-by.ts'
export { decideLoad, formatLoad, OTHERS_BUSY } from './machine-load.ts'
export * from './model-name.ts'
export * from './names.ts'
export * from './no-progress.ts'
export { digestTests } from './origin-fact.ts'
export {
  type Assertion,
  assertionSchema,
  type ContractResult,
  type FailureCategory,
  failureCategorySchema,
  isScored,
  type MeasuredMode,
  modeSchema,
  OUTCOME_STATUSES,
  type Outcome,
  type OutcomeStatus,
  outcomeReason,
  outcomeSchema,
  outcomeStatusSchema,
  type TamperFinding,
  type Verdict,
  verdictSchema,
} from './outcome.ts'
export * from './parse-bundle.ts'
export {
  type Arm,
  type ArmContent,
  armNameSchema,
  armSchema,
  armSettingsSchema,
  BASELINE_ARM,
  digestArm,
  digestPlan,
  EMPTY_ARM_DIGEST,
  type Entry,
  type Escrow,
  entriesOf,
  entryOf,
  freezePlan,
  isBaselineName,
  MAX_ARMS,
  MAX_OVERLAY_BYTES,
  MAX_OVERLAY_FILES,
  type McpServer,
  mcpServerSchema,
  type OverlayFile,
  type Plan,
  type PlanDraft,
  type PlannedTask,
  planSchema,
  refuseBaseline,
  refuseTwice,
  type Stop,
} from './plan.ts'
export {
  agrees,
  type Evaluation,
  type EvaluationLine,
  type EvaluationRequest,
  type EvaluationResult,
  evaluationLineSchema,
  evaluationRequestSchema,
  evaluationSchema,
  listDisagreeing,
  MAX_TRIES,
  type ModelEvidence,
  outcomeWithVerdict,
  parseRegradeLines,
  REGRADES_FILE,
  type Regrade,
  type RegradeLine,
  regradeLineSchema,
} from './regrade.ts'
export * from './row-identity.ts'
export * from './run-event.ts'
export {
  identifyEpisode,
  parseAnyEpisode,
  parseEpisode,
  sealEpisode,
  sealedText,
  sealReported,
} from './seal.ts'
export * from './slot-map.ts'
export * from './stop.ts'
export * from './stored-work.ts'
export * from './subject.ts'
export * from './submitted-run.ts'
export { MAX_TEST_OUTPUT, type TestCommandResult, testCommandSchema } from './test-command.ts'
export { type CostSource, type ModelUsage, sumKnown, type Usage, usageSchema } from './usage.ts'
