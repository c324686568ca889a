import type { Digest } from '#lib/domain/record/index.ts'
import type { HarborTask } from '#lib/domain/tasks/index.ts'
import type { Change } from '../repository/overlay.ts'
import type { AlteredTest } from './proof-store.ts'

/** A task in Harbor's format with the bytes behind it. */
export type LoadedHarbor = {
  folder: string
  task: HarborTask
  /** What its folder starts with; empty where an image is needed. */
  base: readonly Change[]
  /** Shown at `/tests` for judging alone. */
  tests: readonly Change[]
  /** Those that can be changed so that no work may be rewarded, as its proof found them. */
  altered: readonly AlteredTest[]
  /** Shown at `/solution` for the reference alone; null = there is none to prove it with. */
  solution: readonly Change[] | null
  /** Such a task keeps none. */
  wrong: readonly never[]
  /** Covers what a proof is about. */
  inputs: Digest
  /** Why no attempt can be made on any machine, in a sentence; null = it can. */
  refusal: string | null
  /** Why it cannot be run, in a sentence; null = it is proven. */
  unproven: string | null
}

/** The file that makes a folder a task of this format. */
export const HARBOR_FILE = 'task.toml'
