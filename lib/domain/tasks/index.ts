/** Public API of this module; other modules import only this file. */
export {
  type Behaviour,
  behavioursSchema,
  formatBehaviour,
} from './behaviour.ts'
export * from './browser-labels.ts'
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
  UNKNOWN_EXERCISE,
} from './exercise.ts'
export * from './family.ts'
export * from './grading.ts'
export * from './harbor-file.ts'
export * from './harbor-reward.ts'
export {
  type CollectPart,
  HARBOR_GRADING,
  type HarborStep,
  type HarborTask,
  type Healthcheck,
  harborTaskSchema,
} from './harbor-task.ts'
export * from './kind-traits.ts'
export * from './online-tests.ts'
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
export * from './suite.ts'
export * from './task.ts'
export {
  type Ability,
  faultsOf,
  WORKFLOW_CATEGORIES,
  type Workflow,
  workflowFileSchema,
  workflowSchema,
} from './workflow.ts'
