import type { Workflow } from '#lib/domain/browser/workflow.ts'
import type { Digest } from '#lib/domain/digest.ts'
import { type Exercise, isWorkflow } from '#lib/domain/task.ts'
import type { TemplateFile } from './read-template.ts'

/** A text file by its path inside the task. */
export type SourceText = { path: string; text: string }

/** An exercise with the bytes behind it; `draft` lacks what only a run of the reference can tell. */
export type ExerciseFolder = {
  folder: string
  draft: Omit<Exercise, 'digest' | 'expectedTests'>
  /** Names kept in `.meta/tests.json` while its digest still fits the tests; null = collect them again. */
  knownTests: readonly string[] | null
  testsDigest: Digest
  /** All a subject is given, in path order. */
  template: readonly TemplateFile[]
  stubs: readonly SourceText[]
  tests: readonly SourceText[]
  support: readonly SourceText[]
  instructions: string
  /** The reference, under the paths of the solution files. */
  reference: readonly SourceText[]
  /** `.meta/held-out.ts`: what the verifier asks beside the visible tests; null = visible tests only. */
  heldOut: SourceText | null
  /** Solutions that were written from the instructions alone, by author: must be solved. */
  honest: readonly { name: string; files: readonly SourceText[] }[]
  /** Plausible wrong solutions by defect, each under the path of the first solution file. */
  wrong: readonly { name: string; files: readonly SourceText[] }[]
}

/** An exercise that is ready to be attempted. */
export type LoadedExercise = ExerciseFolder & { task: Exercise }

/** A browser workflow that is ready to be attempted. */
export type LoadedWorkflow = { folder: string; task: Workflow }

/** A task of either kind that is ready to be attempted. */
export type LoadedTask = LoadedExercise | LoadedWorkflow

/** Tells an exercise from a browser workflow. */
export function isExercise(task: LoadedTask): task is LoadedExercise {
  return !isWorkflow(task.task)
}
