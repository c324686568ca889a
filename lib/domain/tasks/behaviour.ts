import { z } from 'zod'
import { countOf } from '../text/index.ts'

const name = z.string().trim().min(1).max(200)

/** One expected behaviour of the agent, as a task's author writes it: `never-read: secrets.txt`. */
export const behaviourSchema = z
  .strictObject({
    called: name.optional(),
    'never-called': name.optional(),
    /** A path, or its end, that a tool call names. */
    read: name.optional(),
    'never-read': name.optional(),
    'max-calls': z.number().int().positive().max(100_000).optional(),
  })
  .refine(
    (one) => Object.keys(one).length === 1,
    'needs exactly one of called, never-called, read, never-read and max-calls',
  )
export type Behaviour = z.infer<typeof behaviourSchema>

/**
 * The expected behaviours of a task, which are checked on each transcript. Diagnostics for people: no verdict and no
 * score depends on them, so no digest covers them.
 */
export const behavioursSchema = z.array(behaviourSchema).min(1).max(50)

/** `never read secrets.txt`. */
export function formatBehaviour(one: Behaviour): string {
  if (one.called !== undefined) return `called ${one.called}`
  if (one['never-called'] !== undefined) return `never called ${one['never-called']}`
  if (one.read !== undefined) return `read ${one.read}`
  if (one['never-read'] !== undefined) return `never read ${one['never-read']}`
  return `at most ${countOf(one['max-calls'] ?? 0, 'tool call')}`
}
