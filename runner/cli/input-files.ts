import { usageError } from '../runner-error.ts'
import { readText, withoutMark } from '../user-files.ts'

/** Reads JSON from a file that the caller named. Throws a one-line error. */
export function readJsonFile(path: string): unknown {
  const text = readInputFile(path)
  try {
    return JSON.parse(withoutMark(text))
  } catch (error) {
    throw usageError(`${path} is not valid JSON: ${(error as Error).message}`)
  }
}

/** Reads text from a file that the caller named. Throws a one-line error. */
export function readInputFile(path: string): string {
  const read = readText(path)
  if (read.ok) return read.text
  throw usageError(`cannot read ${path}: ${read.problem}`)
}
