/** Public API of this module; other modules import only this file. */

export {
  type AgentDefinition,
  type AgentLogin,
  type ArgvElement,
  agentDefinitionSchema,
  type FileTemplate,
  type LoginSecret,
  PROTOCOLS,
  type Protocol,
  SCRIPTED,
  type UsageReport,
} from './agent-definition.ts'
export {
  checkLaunch,
  checkTasks,
  chooseTasks,
  type DefaultIsolation,
  defaultIsolationSchema,
  type LaunchChoices,
  listControls,
  type SubjectChoice,
  type TaskChoice,
} from './check-launch.ts'
export {
  type Chosen,
  choosePrunable,
  isPrunable,
  type PruneCandidate,
  type RetentionRules,
} from './choose-prunable.ts'
export {
  findEmptyValue,
  formatPathError,
  formatUsageError,
  inheritSettings,
} from './command-line.ts'
export { forecastWait, type WaitForecast } from './forecast-wait.ts'
export {
  HERE,
  isSameLaunch,
  LAUNCH_FIELDS,
  type LaunchField,
  type LaunchFields,
  type LaunchProblem,
  type LaunchRequest,
  launchAgain,
  launchFieldsSchema,
  parseLaunch,
  readLaunchFields,
  writeLaunchQuery,
} from './launch-fields.ts'
export { declaredNames, type ModelNames, modelNamesSchema } from './model-names.ts'
export {
  countUsedSlots,
  findWait,
  formatQueueWait,
  jobFieldSchema,
  MAX_PRIORITY,
  planQueue,
  priorityFieldSchema,
  providerLimit,
  type QueuedJob,
  type QueueLimits,
  type QueueWait,
  RUN_STATUSES,
  type RunStatus,
  runFieldSchema,
  type SealedTimes,
  type SlotClaim,
  type Spend,
  slotClaim,
  slotsOf,
  topUpFieldSchema,
} from './queue.ts'
export { reproduceLines } from './reproduce-lines.ts'
export {
  type OptionRefusal,
  type PlanAnswer,
  planAnswerSchema,
  refusalAnswer,
  refusalAnswerSchema,
} from './runner-answer.ts'
export { type Cadence, parseSubjectList } from './subject-list.ts'
