import type { Digest } from '#lib/domain/digest/index.ts'
import type { HarborTask } from '#lib/domain/tasks/index.ts'
import type { Change } from '../repository/overlay.ts'
import type { ForAgents } from '../suites/for-agents.ts'
import type { AlteredTest } from './proof-store.ts'

/** A task in Harbor's format with its files. */
export type LoadedHarbor = {
  folder: string
  task: HarborTask
  forAgents: ForAgents<LoadedHarbor>
  /** Initial files of its folder; empty where an image is needed. */
  base: readonly Change[]
  /** Mounted at `/tests` only for judging. */
  tests: readonly Change[]
  /** Tests that can be altered so that no work can be rewarded, from the proof. */
  altered: readonly AlteredTest[]
  /** Mounted at `/solution` only for the reference; null = there is none. */
  solution: readonly Change[] | null
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
