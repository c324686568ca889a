import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { difficultySchema, releasedSchema, slugSchema } from '../record/index.ts'
import { behavioursSchema } from './behaviour.ts'
import { familySchema } from './family.ts'
import { hasOwnSchema } from './kind-traits.ts'

/**
 * A task of any kind that has no schema of its own: it states everything that pages, estimates and rules need. `digest`
 * covers every byte that decides a pass.
 */
export const describedTaskSchema = z.object({
  kind: slugSchema.refine((kind) => !hasOwnSchema(kind), 'is a kind with a schema of its own'),
  taskId: slugSchema,
  digest: digestSchema,
  title: z.string().min(1).max(200),
  category: z.string().min(1).max(60),
  difficulty: difficultySchema,
  instruction: z.string().min(1).max(200_000),
  /** The grading of a solution, such as `one line, compared as text`. */
  grading: z.string().min(1).max(300),
  /** Number of tests that an agent can run, for estimates. */
  tests: z.number().int().nonnegative(),
  /** Its own limit of an agent's turns; absent = none. */
  maxTurns: z.number().int().positive().optional(),
  /** A solution is judged together with its tests in a place with network access. */
  areTestsOnline: z.boolean(),
  /** Facts for its page, by name. */
  facts: z.record(z.string().min(1).max(60), z.string().min(1).max(1000)),
  /** True if no proof shows that its checks refuse work that does nothing; absent = it is proven. */
  unproven: z.literal(true).optional(),
  released: releasedSchema.optional(),
  family: familySchema.optional(),
  expect: behavioursSchema.optional(),
})
export type DescribedTask = z.infer<typeof describedTaskSchema>
