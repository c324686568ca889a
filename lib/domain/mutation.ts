import { z } from 'zod'

const count = z.number().int().nonnegative()

/**
 * How well an exercise's tests tell wrong solutions from right ones. A mutant is the reference with one small mistake in
 * it; those that do not compile are not counted as mutants that the tests caught.
 */
export const mutationSchema = z.object({
  /** Mutants that were made, and those of them that compile. */
  mutants: count,
  compiled: count,
  /** Compiled mutants that the visible tests caught. */
  caughtByVisible: count,
  /** Compiled mutants that the held-out scenario caught by itself; null = the task has none, or it was not asked. */
  caughtByHeldOut: count.nullable(),
  /** Compiled mutants that nothing caught. Some of them behave exactly as the reference does. */
  surviving: count,
  /** Wrong solutions that are kept with the task, and those of them that were caught. */
  wrong: count,
  wrongCaught: count,
})
export type Mutation = z.infer<typeof mutationSchema>

/** As a task carries it: *stale* = the reference, its tests or the operators have changed since. */
export const taskMutationSchema = mutationSchema.extend({ isStale: z.boolean() })
export type TaskMutation = z.infer<typeof taskMutationSchema>

/** The share of compiled mutants that nothing caught; null where none compiled. */
export function survivingShare({ surviving, compiled }: Mutation): number | null {
  return compiled === 0 ? null : surviving / compiled
}

/** Sums up several tasks; `caughtByHeldOut` is null when one of them has no held-out scenario. */
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
