import { z } from 'zod'
import { durationMsSchema } from './names.ts'

/** A task's own test command, as written in its configuration. */
export const testCommandSchema = z.string().trim().min(1).max(1000)

/** Maximum characters of a command's output in an envelope. */
export const MAX_TEST_OUTPUT = 16_000

/** Result of a task's own test command over the solution: a diagnostic for people, which no verdict or score reads. */
export const testCommandResultSchema = z.object({
  command: testCommandSchema,
  /** Why it did not run, as a sentence; null = it ran. */
  notRun: z.string().max(500).nullable(),
  exitCode: z.number().int().nullable(),
  signal: z.string().max(40).nullable(),
  /** The limit that ended it; null = none. */
  limit: z.string().max(40).nullable(),
  durationMs: durationMsSchema,
  /** The end of its output. */
  output: z.string().max(MAX_TEST_OUTPUT),
  /** Earlier characters of the output that are left out. */
  droppedChars: z.number().int().nonnegative(),
})
export type TestCommandResult = z.infer<typeof testCommandResultSchema>
