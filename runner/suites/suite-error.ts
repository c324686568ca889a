import type { Problem } from '#lib/domain/problem.ts'

/** A suite or task folder that cannot be used: names the folder and, for each problem, file, field and reason. */
export class SuiteError extends Error {
  readonly problems: readonly Problem[]

  constructor(message: string, problems: readonly Problem[] = []) {
    super([message, ...problems.map(({ path, message: text }) => `  ${path}: ${text}`)].join('\n'))
    this.problems = problems
  }
}
