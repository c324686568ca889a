import type { Episode, Plan } from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import type { PlanOptions } from '../cli/plan-options.ts'
import type { OpenedEnvironment } from '../engine/environment-adapter.ts'
import type { ContractEvaluation } from '../engine/evaluate-contract.ts'
import type { Evaluated, StoredSolutions } from '../engine/stored-solutions.ts'
import type { ModelAccess } from '../gateway/model-access.ts'
import { usageError } from '../runner-error.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import type { LeftOutTask } from '../suites/left-out.ts'
import type { SuiteFile } from '../suites/suite-file.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import type { SuiteProof } from '../suites/verify/verify-suite.ts'
import type { CandidateResult } from '../suites/verify/verify-task.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'

/** A suite with its tasks, as their kind loaded them. */
export type LoadedSuite<T extends LoadedTask = LoadedTask> = {
  kind: Kind<T>
  suite: Suite
  tasks: readonly T[]
  leftOut: readonly LeftOutTask[]
}

/** A verifier of exercises that starts on first use. */
type LazyVerifier = { get: () => ExerciseVerifier }

export type ProofOptions = {
  concurrency: number
  /** Number of consecutive runs in which a repository task's reference must be solved. */
  runs: number
  wrong?: number
  leastWrong: number
  /** Names of variables of this machine that tasks are given; absent = none. */
  env?: readonly string[]
  onTask: (taskId: string, results: readonly CandidateResult[]) => void
  /** Called for each step of a proof; absent = steps are not reported. */
  onStep?: (what: string) => void
}

/** The parts of a plan that depend on the kind of its suite. */
export type FrozenParts = Pick<Plan, 'subject' | 'arms' | 'escrow'> & {
  chosen: readonly LoadedTask[]
  settings: Settings
  /** Notices that require no change. */
  warnings: readonly string[]
}

export type EnvironmentParts = ModelAccess & {
  isolation: Isolation
  verifier: LazyVerifier
  agentFile: string | null
  libraryFile?: string | null | undefined
  /** Names of variables of this machine that tasks are given; absent = none. */
  env?: readonly string[]
}

type EvaluateState = (folder: string, episode: Episode, task: LoadedTask) => Promise<Evaluated>

/** One kind of suites: loads, proves, plans, runs and judges its tasks. */
export type Kind<T extends LoadedTask = LoadedTask> = {
  /** The name of its folder. */
  name: string
  /** Describes a folder without a `suite.json` that is a suite of this kind; null = it is none. */
  describeFolder?(folder: string): SuiteFile | null
  /** Why a folder is nearly a suite of this kind, as the end of a sentence; null = it is not. */
  explainFolder?(folder: string): string | null
  load(
    folder: string,
    verifier: () => ExerciseVerifier,
  ): Promise<{ tasks: readonly T[]; leftOut?: readonly LeftOutTask[] }>
  /** The verifier of exercises judges its tasks. */
  usesVerifier: boolean
  prove(
    suite: LoadedSuite<T>,
    tasks: readonly T[],
    how: ProofOptions & { verifier: LazyVerifier },
  ): Promise<SuiteProof>
  /** Stores the expected test names of tasks, and returns the number of tasks. Throws if they have none to store. */
  lock(suite: LoadedSuite<T>): Promise<number>
  /** Resolves the parts of a plan; refuses what cannot be run, by name. */
  freeze(options: PlanOptions, suite: LoadedSuite<T>, now: string): Promise<FrozenParts>
  /** Opens the environment adapter of a plan, with its subject ready to act. Throws before anything runs. */
  open(plan: Plan, suite: LoadedSuite<T>, parts: EnvironmentParts): Promise<OpenedEnvironment>
  /** Its tasks can ask for variables of this machine (`--env`); absent = they cannot. */
  takesEnv?: true
  /** Why the code in a folder cannot be judged, in a sentence; absent = it can. */
  refuseFolder?: string
  /** Judges the code in a folder as an attempt would be judged; `shown` is its name for people. */
  judgeFolder(
    task: T,
    folder: string,
    how: { verifier: LazyVerifier; signal: AbortSignal; shown: string },
  ): Promise<Pick<ContractEvaluation, 'contract' | 'findings'>>
  /** Null = its episodes store a state instead of a solution, which `evaluateState` compares. */
  stored: StoredSolutions<T> | null
  evaluateState?(suite: LoadedSuite<T>): EvaluateState
  /** Describes a task in a few words. */
  describe(task: T): string
}

/** Throws a RunnerError if variables are named for tasks that are never given any. */
export function refuseEnv({ takesEnv }: Kind, env: readonly string[] = []): void {
  if (env.length > 0 && takesEnv === undefined)
    throw usageError('--env is only for tasks in Harbor’s format: remove it', '--env')
}

/** Returns the tasks of a suite of this kind; null = it is of another kind. */
export function tasksOf<T extends LoadedTask>(
  kind: Kind<T>,
  suite: LoadedSuite,
): readonly T[] | null {
  return suite.kind.name === kind.name ? (suite.tasks as readonly T[]) : null
}
