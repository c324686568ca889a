import { z } from 'zod'
import { type Workflow, workflowSchema } from './browser/workflow.ts'
import { digestSchema } from './digest.ts'
import { taskMutationSchema } from './mutation.ts'
import { durationMsSchema, relativePathSchema, releasedSchema, slugSchema } from './names.ts'
import { difficultySchema } from './task-difficulty.ts'

/** Where a task's parts lie inside its folder; only `solution` files are ever taken from a subject. */
export const taskFilesSchema = z.object({
  solution: z.array(relativePathSchema).min(1),
  test: z.array(relativePathSchema).min(1),
  example: z.array(relativePathSchema).min(1),
  support: z.array(relativePathSchema),
  instructions: z.array(relativePathSchema).min(1),
})

/**
 * One TypeScript exercise with its contract. `digest` covers every byte that decides a pass: instructions, stub,
 * tests, compiler settings, the expected test names and, where there is one, the held-out scenario with the reference
 * that answers it; not the wrong solutions.
 */
export const exerciseSchema = z.object({
  taskId: slugSchema,
  digest: digestSchema,
  title: z.string().min(1).max(200),
  category: z.string().min(1).max(60),
  difficulty: difficultySchema,
  files: taskFilesSchema,
  /** Full names ("describe > test") that must execute, in file order; a multiset. */
  expectedTests: z.array(z.string()),
  /** Covers scenario and reference of the held-out transcript; absent = visible tests only. */
  heldOut: digestSchema.optional(),
  /** False only where a track judges by types alone. */
  runTests: z.boolean(),
  typeTests: z.boolean(),
  compilerOptions: z.record(z.string(), z.unknown()),
  packageType: z.enum(['module', 'commonjs']),
  verifyTimeoutMs: durationMsSchema,
  /** How well its tests catch mistakes, where that was measured; no part of what the digest covers. */
  mutation: taskMutationSchema.optional(),
  /** Absent = not known. */
  released: releasedSchema.optional(),
})
export type Exercise = z.infer<typeof exerciseSchema>

const NO_FILES = z.array(z.never()).max(0)

/** A task that another program set: its name is known, and nothing of its content. */
export const reportedTaskSchema = exerciseSchema.omit({ mutation: true }).extend({
  kind: z.literal('reported'),
  files: z.object({
    solution: NO_FILES,
    test: NO_FILES,
    example: NO_FILES,
    support: NO_FILES,
    instructions: NO_FILES,
  }),
  expectedTests: NO_FILES,
})

/** A task of any kind; an exercise has no `kind`, because it had none before there were workflows. */
export const taskSchema = z.union([workflowSchema, reportedTaskSchema, exerciseSchema])
export type Task = z.infer<typeof taskSchema>

/** Tells a browser workflow from an exercise. */
export function isWorkflow(task: Task): task is Workflow {
  return 'kind' in task && task.kind === 'browser'
}
