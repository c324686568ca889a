import { z } from 'zod'
import type { Came } from './cheat.ts'

/** What a cheat's line in the log begins with. */
export const CAME = 'cheat: '

const cameSchema = z.union([z.object({ prevented: z.string() }), z.object({ done: z.string() })])

/** What a cheat said of itself in the subject's log; null = nothing. */
export function readCame(log: string): Came | null {
  const line = log.split('\n').find((one) => one.includes(CAME))
  if (line === undefined) return null
  const text = line.slice(line.indexOf(CAME) + CAME.length)
  try {
    return cameSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
