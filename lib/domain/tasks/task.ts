import { z } from 'zod'
import { type DescribedTask, describedTaskSchema } from './described-task.ts'
import { type Exercise, exerciseSchema, type ReportedTask, reportedTaskSchema } from './exercise.ts'
import { HARBOR_GRADING, type HarborTask, harborTaskSchema } from './harbor-task.ts'
import { hasOwnSchema } from './kind-traits.ts'
import { mayUseNetwork, type RepositoryTask, repositoryTaskSchema } from './repository-task.ts'
import { type Workflow, workflowSchema } from './workflow.ts'

/** The amount of work in a task, for estimates. */
type Effort = {
  /** Number of visible tests. */
  tests: number
  /** Its own limit of turns; null = none. */
  maxTurns: number | null
  /** It is driven action by action, each of which shows a page. */
  isPaged: boolean
}

/** Facts about the tasks of one kind, for estimates, pages and rules. */
type TaskKind<T> = {
  schema: z.ZodType<T>
  /** Describes how a solution is graded; null = not by tests here. */
  grading(task: T): string | null
  /** Every task of this kind is graded like the first one. */
  isGradedAlike: boolean
  /** A solution is judged together with its tests in a place with network access. */
  areTestsOnline(task: T): boolean
  effort(task: T): Effort
  /** The instruction itself, or the files that contain it and the stub. */
  texts(task: T): string | Pick<Exercise['files'], 'instructions' | 'solution'>
}

const EXERCISE: TaskKind<Exercise> = {
  schema: exerciseSchema,
  grading: ({ heldOut }) =>
    heldOut ? 'visible tests + held-out transcript' : 'visible tests only',
  isGradedAlike: false,
  areTestsOnline: () => false,
  effort: ({ expectedTests }) => ({ tests: expectedTests.length, maxTurns: null, isPaged: false }),
  texts: ({ files }) => files,
}

const REPORTED: TaskKind<ReportedTask> = {
  ...EXERCISE,
  schema: reportedTaskSchema,
  grading: () => null,
}

const BROWSER: TaskKind<Workflow> = {
  schema: workflowSchema,
  grading: () => null,
  isGradedAlike: false,
  areTestsOnline: () => false,
  effort: ({ budgets }) => ({ tests: 0, maxTurns: budgets.maxActions, isPaged: true }),
  texts: () => ({ instructions: [], solution: [] }),
}

const REPOSITORY: TaskKind<RepositoryTask> = {
  schema: repositoryTaskSchema,
  grading: () => 'tests run in the solution’s own process',
  isGradedAlike: true,
  areTestsOnline: (task) => mayUseNetwork(task, 'verify'),
  effort: ({ expectedTests, budgets: { maxSteps = null } }) => ({
    tests: expectedTests.length,
    maxTurns: maxSteps,
    isPaged: false,
  }),
  texts: ({ instruction }) => instruction,
}

const HARBOR: TaskKind<HarborTask> = {
  schema: harborTaskSchema,
  grading: () => HARBOR_GRADING,
  isGradedAlike: true,
  areTestsOnline: ({ verifier }) => verifier.network === 'on',
  effort: () => ({ tests: 0, maxTurns: null, isPaged: false }),
  texts: ({ instruction }) => instruction,
}

const DESCRIBED: TaskKind<DescribedTask> = {
  schema: describedTaskSchema,
  grading: ({ grading }) => grading,
  isGradedAlike: true,
  areTestsOnline: ({ areTestsOnline }) => areTestsOnline,
  effort: ({ tests, maxTurns = null }) => ({ tests, maxTurns, isPaged: false }),
  texts: ({ instruction }) => instruction,
}

/**
 * The kinds with a schema of their own, and `described` for all others. Exercises come last: they have no `kind`, because
 * they existed before other kinds.
 */
const TASK_KINDS = {
  browser: BROWSER,
  repository: REPOSITORY,
  harbor: HARBOR,
  reported: REPORTED,
  described: DESCRIBED,
  exercise: EXERCISE,
}
type Kinds = typeof TASK_KINDS

/** A task with the name of its schema. */
type TaskOfKind = {
  [K in keyof Kinds]: { kind: K; task: z.infer<Kinds[K]['schema']> }
}[keyof Kinds]

export type Task = TaskOfKind['task']

/** A task of any kind. */
export const taskSchema: z.ZodType<Task> = z.union(
  Object.values(TASK_KINDS).map(({ schema }) => schema as z.ZodType<Task>),
)

/** Returns the task with the name of its schema. */
export function kindOf(task: Task): TaskOfKind {
  if (!('kind' in task)) return { kind: 'exercise', task }
  return { kind: hasOwnSchema(task.kind) ? task.kind : 'described', task } as TaskOfKind
}

/** Returns the facts about the task's kind. */
export function taskKind(task: Task): TaskKind<Task> {
  return TASK_KINDS[kindOf(task).kind] as TaskKind<Task>
}
