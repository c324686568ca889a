/** Public API of this module; other modules import only this file. */
export {
  type Behaviour,
  behavioursSchema,
  formatBehaviour,
} from './behaviour.ts'
export {
  ABILITY_LABELS,
  ASSERTION_LABELS,
  DRIVEN_LABELS,
  formatRung,
  formatWay,
  INJECTOR_LABELS,
  REUSE_LABELS,
  RUNG_LABELS,
  TARGETING_LABELS,
} from './browser-labels.ts'
export {
  ASSERTION_KINDS,
  type AssertionSpec,
  formatAssertion,
  type SaidAssertion,
} from './contract.ts'
export { type DescribedTask, describedTaskSchema } from './described-task.ts'
export {
  addMutations,
  type Exercise,
  exerciseSchema,
  type Mutation,
  mutationSchema,
  survivingShare,
  type TaskMutation,
} from './exercise.ts'
export { familyOf, familySchema } from './family.ts'
export { describeGrading, describeSuiteGrading } from './grading.ts'
export { findUnknownMembers, type HarborFile, harborFileSchema } from './harbor-file.ts'
export {
  MAX_REWARD_BYTES,
  readReward,
  SOLVED_REWARD,
} from './harbor-reward.ts'
export {
  HARBOR_GRADING,
  type HarborStep,
  type HarborTask,
  type Healthcheck,
  harborTaskSchema,
} from './harbor-task.ts'
export { kindTraits, runsBrowser } from './kind-traits.ts'
export { areTestsOnline, ONLINE_TESTS } from './online-tests.ts'
export { matchesAny } from './path-glob.ts'
export type { TaskLimits } from './place-limits.ts'
export {
  gitUrlSchema,
  isGitPath,
  mayUseNetwork,
  REPORT_FORMATS,
  type RepositoryFile,
  type RepositoryTask,
  repositoryFileSchema,
  repositoryTaskSchema,
} from './repository-task.ts'
export {
  digestSuite,
  kindsOf,
  listKinds,
  PROTOCOL_VERSION,
  REPORTED_PROTOCOL_VERSION,
  type Suite,
  type SuiteThresholds,
  suiteSchema,
  type Thresholds,
  thresholdsSchema,
} from './suite.ts'
export { kindOf, type Task, taskKind, taskSchema } from './task.ts'
export {
  type Ability,
  faultsOf,
  WORKFLOW_CATEGORIES,
  type Workflow,
  workflowFileSchema,
  workflowSchema,
} from './workflow.ts'
