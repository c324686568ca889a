import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import {
  difficultySchema,
  durationMsSchema,
  relativePathSchema,
  releasedSchema,
  slugSchema,
  testCommandSchema,
} from '../record/index.ts'
import { behavioursSchema } from './behaviour.ts'
import { familySchema } from './family.ts'

/** Paths of a task's parts in its folder; only `solution` files are ever taken from a subject. */
export const taskFilesSchema = z.object({
  solution: z.array(relativePathSchema).min(1),
  test: z.array(relativePathSchema).min(1),
  example: z.array(relativePathSchema).min(1),
  support: z.array(relativePathSchema),
  instructions: z.array(relativePathSchema).min(1),
})

const count = z.number().int().nonnegative()

/**
 * Mutation score of an exercise: how well its tests distinguish wrong solutions from right ones. A mutant is the
 * reference with one small mistake; mutants that do not compile do not count as caught.
 */
export const mutationSchema = z.object({
  /** All mutants, and those that compile. */
  mutants: count,
  compiled: count,
  /** Compiled mutants that the visible tests caught. */
  caughtByVisible: count,
  /** Compiled mutants that the held-out scenario caught by itself; null = the task has none, or it was not run. */
  caughtByHeldOut: count.nullable(),
  /** Compiled mutants that were not caught. Some of them behave exactly like the reference. */
  surviving: count,
  /** Wrong solutions stored with the task, and how many were detected. */
  wrong: count,
  wrongCaught: count,
})

/** *Stale* = the reference, its tests or the operators have changed since. */
export const taskMutationSchema = mutationSchema.extend({ isStale: z.boolean() })

/**
 * One TypeScript exercise with its contract. `digest` covers every byte that decides a pass: instructions, stub, tests,
 * compiler settings, the expected test names and the held-out scenario with its reference, if any; not the wrong
 * solutions.
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
  /** Digest of scenario and reference of the held-out transcript; absent = visible tests only. */
  heldOut: digestSchema.optional(),
  /** False only for tracks that judge by types alone. */
  runTests: z.boolean(),
  typeTests: z.boolean(),
  compilerOptions: z.record(z.string(), z.unknown()),
  packageType: z.enum(['module', 'commonjs']),
  verifyTimeoutMs: durationMsSchema,
  /** Run over the solution as a diagnostic; it decides nothing, so the digest does not cover it. */
  testCommand: testCommandSchema.optional(),
  /** Measured mutation score; not covered by the digest. */
  mutation: taskMutationSchema.optional(),
  /** Absent = unknown. */
  released: releasedSchema.optional(),
  family: familySchema.optional(),
  expect: behavioursSchema.optional(),
  /** Repairs made when it was imported, and controls that do not apply to it: one sentence each. */
  importNotes: z.array(z.string().max(1000)).max(20).optional(),
})
export type Exercise = z.infer<typeof exerciseSchema>

const NO_FILES = z.array(z.never()).max(0)

/** A task of another program, of which only the name is known. */
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
export type ReportedTask = z.infer<typeof reportedTaskSchema>

export type Mutation = z.infer<typeof mutationSchema>
export type TaskMutation = z.infer<typeof taskMutationSchema>

/** Share of compiled mutants that were not caught; null if none compiled. */
export function survivingShare({ surviving, compiled }: Mutation): number | null {
  return compiled === 0 ? null : surviving / compiled
}

/** Sums up several tasks; `caughtByHeldOut` is null if one of them has no held-out scenario. */
export function addMutations(tasks: readonly Mutation[]): Mutation {
  const sum = (key: Exclude<keyof Mutation, 'caughtByHeldOut'>) =>
    tasks.reduce((total, task) => total + task[key], 0)
  const heldOut = tasks.map(({ caughtByHeldOut }) => caughtByHeldOut)
  return {
    mutants: sum('mutants'),
    compiled: sum('compiled'),
    caughtByVisible: sum('caughtByVisible'),
    caughtByHeldOut: heldOut.some((one) => one === null)
      ? null
      : heldOut.reduce<number>((total, one) => total + (one ?? 0), 0),
    surviving: sum('surviving'),
    wrong: sum('wrong'),
    wrongCaught: sum('wrongCaught'),
  }
}

/** Values of a task of which only the name is known, not the files. */
export const UNKNOWN_EXERCISE: Omit<ReportedTask, 'kind' | NamedFields> = {
  difficulty: 'unknown',
  files: { solution: [], test: [], example: [], support: [], instructions: [] },
  expectedTests: [],
  runTests: true,
  typeTests: false,
  compilerOptions: {},
  packageType: 'module',
  verifyTimeoutMs: 1,
}

type NamedFields = 'taskId' | 'digest' | 'title' | 'category'
