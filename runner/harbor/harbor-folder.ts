import type { Digest } from '#lib/domain/digest/index.ts'
import type { HarborTask } from '#lib/domain/tasks/index.ts'
import type { Change } from '../repository/overlay.ts'
import type { ForAgents } from '../suites/for-agents.ts'
import type { AlteredTest } from './proof-store.ts'

/** Files of one step, by the place of the step in the task. */
export type StepFiles = {
  name: string
  /** Files that its agent finds besides what the earlier steps left, and `setup.sh`, which puts them in place. */
  workdir: readonly Change[]
  /** The task's own tests, and those of the step, which replace them. */
  tests: readonly Change[]
  /** The folder that the image of a separate verifier is built from. */
  testsFolder: string
  /** Null = there is none. */
  solution: readonly Change[] | null
}

/** A task in Harbor's format with its files. */
export type LoadedHarbor = {
  folder: string
  task: HarborTask
  forAgents: ForAgents<LoadedHarbor>
  /** Initial files of its folder; empty where an image is needed. */
  base: readonly Change[]
  /** Mounted at `/tests` only for judging. */
  tests: readonly Change[]
  /** The folder that the image of a separate verifier is built from. */
  testsFolder: string
  /** Empty = it has no steps. */
  steps: readonly StepFiles[]
  /** Tests that can be altered so that no work can be rewarded, from the proof. */
  altered: readonly AlteredTest[]
  /** Mounted at `/solution` only for the reference; null = there is none. */
  solution: readonly Change[] | null
  /** The compose file of its services, as it is; null = it has none. */
  compose: string | null
  /** The format has no wrong solutions. */
  wrong: readonly never[]
  /** Digest of everything that the proof depends on. */
  inputs: Digest
  /** Why no attempt is possible on any machine, in one sentence; null = it is possible. */
  refusal: string | null
  /** Why the task cannot be run, in one sentence; null = it is proven. */
  unproven: string | null
}

/** The file that identifies a task of this format. */
export const HARBOR_FILE = 'task.toml'

/** Returns each step as a task of its own, in order; the task itself if it has none. */
export function stepsOf(loaded: LoadedHarbor): readonly LoadedHarbor[] {
  const { task, altered } = loaded
  if (task.steps === undefined) return [loaded]
  return task.steps.flatMap(({ name, instruction, agent, verifier }, at) => {
    const files = loaded.steps[at]
    if (files === undefined) return []
    const { tests, testsFolder, solution } = files
    return {
      ...loaded,
      tests,
      testsFolder,
      solution,
      altered: altered.filter(({ step }) => step === name),
      task: { ...task, instruction, agent, verifier },
    }
  })
}
