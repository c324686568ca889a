import type { Digest } from '#lib/domain/record/index.ts'
import type { RepositoryTask } from '#lib/domain/tasks/index.ts'
import type { Change } from '../repository/overlay.ts'

/** A stored solution, right or wrong: files over the repository, or a patch of it. */
export type StoredSolution = { name: string } & (
  | { kind: 'overlay'; changes: readonly Change[] }
  | { kind: 'patch'; text: string }
)

/** A repository task with the bytes behind it. */
export type LoadedRepository = {
  folder: string
  task: RepositoryTask
  /** Put in for judging alone. */
  tests: readonly Change[]
  /** Added to the tests for the canary run, with `{{canary}}` in names and texts; empty = made by us. */
  canary: readonly Change[]
  reference: StoredSolution | null
  wrong: readonly StoredSolution[]
  /** Covers what a proof is about: of another digest it is none. */
  inputs: Digest
  /** Why it cannot be run, in a sentence; null = it is proven. */
  unproven: string | null
  /** Expected tests that pass where nothing was done, as its proof found them; null = it did not say. */
  passedBefore: readonly string[] | null
}

/** Where a task keeps what its proof fixed. */
export const PROOF_FILE = 'proof.json'
