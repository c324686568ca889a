import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import type { GateReport } from '../../contracts/exercise/gate-types.ts'
import { type TaskConfig, taskConfigSchema } from '../task-config.ts'
import type { SourceText } from '../task-folder.ts'

/** A mechanical repair with what it did, in words; null = it does not apply. */
export type Patch<T> = { value: T; did: string } | null

/** A config.json with a missing or superfluous comma, read by a parser that goes on after an error. */
export function patchConfig(folder: string): Patch<TaskConfig> {
  const path = join(folder, '.meta', 'config.json')
  if (!existsSync(path)) return null
  const parsed = taskConfigSchema.safeParse(
    parse(readFileSync(path, 'utf8'), [], { allowTrailingComma: true }),
  )
  return parsed.success
    ? {
        value: parsed.data,
        did: '.meta/config.json is not valid JSON: read with its commas mended',
      }
    : null
}

type Diagnostic = GateReport['types']['diagnostics'][number]

const IMPLICIT_ANY = new Set([7034, 7005, 7031, 7006])

/**
 * A test file that leaves a variable's type to chance: no solution could compile beside it. Each such variable is
 * declared `any`, which changes no assertion.
 */
export function patchTests(
  tests: readonly SourceText[],
  diagnostics: readonly Diagnostic[],
): Patch<SourceText[]> {
  const ours = diagnostics.filter(
    ({ file, code }) => tests.some(({ path }) => path === file) && IMPLICIT_ANY.has(code),
  )
  if (ours.length === 0) return null
  const value = tests.map((test) => ({
    path: test.path,
    text: annotate(
      test.text,
      ours.filter(({ file, code }) => file === test.path && code === 7034),
    ),
  }))
  const places = ours.filter(({ code }) => code === 7034).map(({ file, line }) => `${file}:${line}`)
  return {
    value,
    did: `variables without a type in the tests are declared any (${places.join(', ')})`,
  }
}

/** Inserts the annotation right after the name that the compiler points at, last place first. */
function annotate(text: string, diagnostics: readonly Diagnostic[]): string {
  const lines = text.split('\n')
  for (const { line, column } of diagnostics) {
    const found = lines[line - 1] ?? ''
    const name = /^[\w$]+/.exec(found.slice(column - 1))?.[0]
    if (name)
      lines[line - 1] =
        `${found.slice(0, column - 1)}${name}: any${found.slice(column - 1 + name.length)}`
  }
  return lines.join('\n')
}

/** A reference that calls a method it declared private (TS2341, TS2445): the modifier goes, in our copy of the reference only. */
export function patchReference(
  reference: readonly SourceText[],
  diagnostics: readonly Diagnostic[],
): Patch<SourceText[]> {
  const names = diagnostics.flatMap(({ code, message }) =>
    code === 2341 || code === 2445 ? (/'([\w$]+)'/.exec(message)?.[1] ?? []) : [],
  )
  if (names.length === 0) return null
  const pattern = new RegExp(
    `\\b(?:private|protected)\\s+((?:(?:static|readonly|async|get|set)\\s+)*(?:${names.join('|')})\\b)`,
    'g',
  )
  const value = reference.map(({ path, text }) => ({ path, text: text.replace(pattern, '$1') }))
  return {
    value,
    did: `the reference hides what the tests call: ${[...new Set(names)].join(', ')} made public in our copy`,
  }
}
