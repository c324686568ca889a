import { readFileSync } from 'node:fs'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { withoutMark } from '../user-files.ts'

/** Reads strict JSON from a file, or returns position and reason of its error. */
export function readJson(
  path: string,
): { value: unknown; error: null } | { value: undefined; error: string } {
  const text = withoutMark(readFileSync(path, 'utf8'))
  try {
    return { value: JSON.parse(text), error: null }
  } catch {
    return { value: undefined, error: describe(text) }
  }
}

/** Reads JSON with comments and trailing commas (tsconfig.json); null if it is broken even so. */
export function readLooseJson(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(withoutMark(text), errors, { allowTrailingComma: true })
  return errors.length > 0 ? null : value
}

function describe(text: string): string {
  const errors: ParseError[] = []
  parse(text, errors)
  const first = errors[0]
  if (!first) return 'is not valid JSON'
  const line = text.slice(0, first.offset).split('\n').length
  return `is not valid JSON (line ${line}: ${printParseErrorCode(first.error)})`
}
