import { existsSync } from 'node:fs'
import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { subjectError } from './runner-error.ts'
import { isFile, readText } from './user-files.ts'

/** A mistake that a schema of single fields cannot express, and its place. */
export type YamlMistake = { path: (string | number)[]; message: string }

/** Reading of one kind of file; `noun` names it in messages: "agent", "provider". */
export type YamlKind<T> = {
  noun: string
  /** Names the file in messages about no particular field. */
  whole: string
  schema: z.ZodType<T>
  findMistakes: (value: T) => YamlMistake[]
}

const MAX_CHARS = 256 << 10

/** Reads a file that the user named. Throws a RunnerError with one sentence. */
export function readTextFile(path: string, noun: string): string {
  if (existsSync(path) && !isFile(path))
    throw subjectError(`the ${noun} file ${path} is not a file`)
  const read = readText(path)
  if (read.ok) return read.text
  throw subjectError(`cannot read the ${noun} file ${path}: ${read.problem}`)
}

/**
 * Parses YAML and checks it by its schema and by `mistakes` across fields. Throws a RunnerError with the line and field
 * of the first mistake, and the number of further ones. `file` names it in messages.
 */
export function parseYaml<T>(text: string, file: string, kind: YamlKind<T>): T {
  const article = /^[aeiou]/.test(kind.noun) ? 'an' : 'a'
  if (text.length > MAX_CHARS)
    throw subjectError(`${file} is longer than ${article} ${kind.noun} can be`)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = document.errors
  if (broken) {
    const { line } = lines.linePos(broken.pos[0])
    throw subjectError(`${file} line ${line} is not valid YAML: ${firstLine(broken.message)}`)
  }
  const parsed = kind.schema.safeParse(toValue(document, file))
  const mistakes: LocatedMistake[] = parsed.success
    ? kind.findMistakes(parsed.data)
    : parsed.error.issues.map(toMistake)
  if (parsed.success && mistakes.length === 0) return parsed.data
  // A misspelt name shows up as one unknown and one missing field; the unknown one says more.
  const first = mistakes.find(({ unknown }) => unknown !== undefined) ?? mistakes[0]
  if (!first) throw subjectError(`${file} is not ${article} ${kind.noun} definition`)
  const place = placeOf(first, document, lines)
  const rest = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : ''
  const field = first.path.join('.') || kind.whole
  throw subjectError(`${file}${place}: ${field}: ${first.message}${rest}`)
}

function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw subjectError(`${file} cannot be read: ${firstLine((error as Error).message)}`)
  }
}

type LocatedMistake = YamlMistake & { unknown?: string | undefined }

function toMistake(issue: z.core.$ZodIssue): LocatedMistake {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  const missing = /received undefined$/.test(issue.message)
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  // A problem with the name of a field says more than that the field is invalid.
  const own = issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined
  return { path, message: missing ? 'is missing' : (own ?? issue.message), unknown }
}

function placeOf(
  { path, unknown }: LocatedMistake,
  document: Document,
  lines: LineCounter,
): string {
  const offset = findOffset(document, unknown === undefined ? path : [...path, unknown])
  return offset === null ? '' : ` line ${lines.linePos(offset).line}`
}

/** Offset of the deepest part of the path that exists in the document. */
function findOffset(document: Document, path: readonly (string | number)[]): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const offset = offsetIn(document.getIn(path.slice(0, depth - 1), true), path[depth - 1])
    if (offset !== null) return offset
  }
  return null
}

function offsetIn(parent: unknown, name: string | number | undefined): number | null {
  const node = isMap(parent)
    ? parent.items.find(({ key }) => String(key) === String(name))?.key
    : isSeq(parent)
      ? parent.items[Number(name)]
      : null
  return isNode(node) && node.range ? node.range[0] : null
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/[.:]$/, '')
}
