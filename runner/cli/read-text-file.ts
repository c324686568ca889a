import { readFileSync } from 'node:fs'
import { UsageError } from './cli-error.ts'

/** Text from a file the caller named, or one line about why not. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(
      `cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`,
    )
  }
}
