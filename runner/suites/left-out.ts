import type { Problem } from '#lib/domain/text/index.ts'

/** A task folder that cannot be loaded: its name, and why. */
export type LeftOutTask = { name: string; problem: Problem }

/** One line for each task that was left out, with its name and the reason. */
export function leftOutLines(leftOut: readonly LeftOutTask[]): string[] {
  return leftOut.map(
    ({ name, problem }) => `${name} is left out: ${problem.path}: ${problem.message}`,
  )
}
