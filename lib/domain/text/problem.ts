import type { z } from 'zod'

/** A problem of an input: its path, and what to do about it. */
export type Problem = { path: string; message: string }

/** Result of parsing external input: the value, or every problem of the input. */
export type ParseResult<T> = { ok: true; value: T } | { ok: false; problems: Problem[] }

/** Converts Zod's issues to path and message, `results.3.outcome`; the whole input is `(root)`. */
export function formatIssues(issues: readonly z.core.$ZodIssue[]): Problem[] {
  return issues.map((issue) => ({
    path: issue.path.map(String).join('.') || '(root)',
    message: issue.message,
  }))
}

/** Refuses an input for one problem, by default of the whole input. */
export function refuseInput(message: string, path = '(root)'): ParseResult<never> {
  return { ok: false, problems: [{ path, message }] }
}

/** Formats `path: message` lines, at most `most` of them and a count of the rest. */
export function problemLines(problems: readonly Problem[], max = 20): string[] {
  const lines = problems.slice(0, max).map(({ path, message }) => `${path}: ${message}`)
  return problems.length > max ? [...lines, `… and ${problems.length - max} more`] : lines
}
