import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Digest, digestBytes, digestJson, digestSchema } from '#lib/domain/digest/index.ts'
import { mutationSchema, type TaskMutation } from '#lib/domain/tasks/index.ts'
import { writeAtomic } from '../engine/files.ts'
import { readJson } from './read-json.ts'
import type { ExerciseFolder, LoadedExercise } from './task-folder.ts'

/** Increment with every change of the operators in `mutate/operators`: counts by other versions are reported as stale. */
const OPERATORS_VERSION = 2

const FILE = join('.meta', 'mutation.json')

const survivorSchema = z.object({
  operator: z.string(),
  path: z.string(),
  line: z.number().int().positive(),
  before: z.string(),
  after: z.string(),
})

/** `.meta/mutation.json`: the counts, their inputs, and the surviving mutants. */
export const mutationFileSchema = mutationSchema.extend({
  madeFrom: digestSchema,
  /** The held-out scenario used; null = none. */
  heldOut: digestSchema.nullable(),
  survivors: z.array(survivorSchema),
})
export type MutationFile = z.infer<typeof mutationFileSchema>

/** Reads the counts next to a task; undefined = it was never mutated, or the file is unreadable. */
export function readMutation(task: ExerciseFolder): TaskMutation | undefined {
  const path = join(task.folder, FILE)
  if (!existsSync(path)) return undefined
  const parsed = mutationFileSchema.safeParse(readJson(path).value)
  if (!parsed.success) return undefined
  const { madeFrom, heldOut, survivors: _, ...figures } = parsed.data
  const isStale =
    madeFrom !== digestSources(task) || (heldOut !== null && heldOut !== digestHeldOut(task))
  return { ...figures, isStale }
}

/** Stores the counts next to the task. */
export async function writeMutation(task: LoadedExercise, mutation: MutationFile): Promise<void> {
  await writeAtomic(join(task.folder, FILE), `${JSON.stringify(mutation, null, 2)}\n`)
}

/** Covers everything the counts depend on, except the held-out scenario. */
export function digestSources(task: ExerciseFolder): Digest {
  const { reference, tests, support, wrong } = task
  const { compilerOptions, packageType, runTests } = task.draft
  return digestJson({
    operators: OPERATORS_VERSION,
    reference,
    tests,
    support,
    wrong,
    compilerOptions,
    packageType,
    runTests,
  })
}

/** Covers the task's held-out scenario; null = it has none. */
export function digestHeldOut(task: ExerciseFolder): Digest | null {
  return task.heldOut && digestBytes(task.heldOut.text)
}
