import type { Digest } from '#lib/domain/digest/index.ts'
import type { RepositoryTask } from '#lib/domain/tasks/index.ts'
import type { Change } from '../repository/overlay.ts'
import type { ForAgents } from './for-agents.ts'

/** A stored solution, right or wrong: files over the repository, or a patch of it. */
export type StoredSolution = { name: string } & (
  | { kind: 'overlay'; changes: readonly Change[] }
  | { kind: 'patch'; text: string }
)

/** A repository task with its files. */
export type LoadedRepository = {
  folder: string
  task: RepositoryTask
  forAgents: ForAgents<LoadedRepository>
  /** Added for judging only. */
  tests: readonly Change[]
  /** Added to the tests for the canary run, with `{{canary}}` in names and texts; empty = generated. */
  canary: readonly Change[]
  reference: StoredSolution | null
  wrong: readonly StoredSolution[]
  /** Covers the subject of a proof: a proof of another digest is invalid. */
  inputs: Digest
  /** Why it cannot be run, in a sentence; null = it is proven. */
  unproven: string | null
  /** Expected tests that pass without any work, from its proof; null = not recorded. */
  passedBefore: readonly string[] | null
  /** Duration of the slowest run of the reference in its proof; null = not recorded. */
  referenceMs: number | null
}

/** File that stores the results of a task's proof. */
export const PROOF_FILE = 'proof.json'
