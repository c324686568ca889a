import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { countOf } from '#lib/domain/record/index.ts'
import type { ParseResult, Problem } from '../../../domain/record/index.ts'
import { AppError } from '../../../errors.ts'
import { BODY_LIMITS, formatMegabytes, MAX_PIECE_BYTES } from '../limits.ts'
import type { StoredFile } from '../unpack-archive.ts'
import {
  JSON_LIMITS,
  type JsonLimits,
  JsonProblem,
  type Outline,
  type Range,
  scanJson,
} from './scan-json.ts'

/** `isLoose`: accepts numbers as Python writes them, for another program's format. */
type OutlineOptions = { limits?: JsonLimits; most?: number; isLoose?: boolean }

/** `isTooMuch`: the text is refused only for its depth or its numbers. */
type Outlined =
  | { ok: true; text: string; value: Outline[] }
  | { ok: false; problems: Problem[]; isTooMuch: boolean }

/** `outlineJson` for large texts: yields to other work every few megabytes. */
export async function outlineJsonInSteps(
  bytes: Buffer,
  options: OutlineOptions = {},
): Promise<Outlined> {
  const steps = outlineSteps(bytes, options)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    await breathe()
  }
}

/**
 * Outlines the JSON documents in a text: one of a `.json`, one per line of JSON Lines. Refuses what JSON.parse would
 * accept and no honest file contains: duplicate keys, keys of the prototype, integers that lose digits, infinite
 * numbers, half surrogate pairs, a byte order mark, unlimited depth. Never throws for bad input.
 */
export function outlineJson(bytes: Buffer, options: OutlineOptions = {}): Outlined {
  return runSteps(outlineSteps(bytes, options))
}

function runSteps<T>(steps: Generator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

function* outlineSteps(
  bytes: Buffer,
  { limits = JSON_LIMITS, most = 1, isLoose = false }: OutlineOptions,
): Generator<void, Outlined> {
  const encoding = findEncodingProblem(bytes)
  if (encoding !== null) return refuse(encoding)
  const text = bytes.toString('utf8')
  try {
    const outlines: Outline[] = []
    let at = 0
    do {
      const outline = yield* scanJson(text, at, limits, isLoose)
      outlines.push(outline)
      at = afterValue(text, outline.end, most > 1)
      if (at < text.length && outlines.length >= most)
        throw new JsonProblem(`more than ${countOf(most, 'document')}`, at, true)
    } while (at < text.length)
    return { ok: true, text, value: outlines }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return refuse(describeProblem(text, error), error.isTooMuch)
  }
}

/** Formats the message with line and column, both from one. */
function describeProblem(text: string, { message, offset }: JsonProblem): string {
  const lines = text.slice(0, offset).split('\n')
  return `${message} (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`
}

/** Returns where the next document starts: on a later line, if another is allowed. */
function afterValue(text: string, end: number, mayFollow: boolean): number {
  const space = /[ \t\n\r]*/y
  space.lastIndex = end
  const between = space.exec(text)?.[0] ?? ''
  const at = end + between.length
  if (at < text.length && (!mayFollow || !between.includes('\n')))
    throw new JsonProblem('something follows after the end', at)
  return at
}

function findEncodingProblem(bytes: Buffer): string | null {
  const [a, b, c] = bytes
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    return 'the text is UTF-16: save it as UTF-8'
  if (a === 0xef && b === 0xbb && c === 0xbf)
    return 'the text starts with a byte order mark: save it as UTF-8 without one'
  return isUtf8(bytes) ? null : 'the text is not UTF-8'
}

function refuse(message: string, isTooMuch = false): Outlined {
  return { ok: false, problems: [{ path: '(root)', message }], isTooMuch }
}

/** Parses a strict JSON text to the value of JSON.parse, or returns what is wrong and where. Never throws. */
export function parseStrictJson(
  bytes: Buffer,
  limits: JsonLimits = JSON_LIMITS,
): ParseResult<unknown> {
  const outlined = outlineJson(bytes, { limits })
  if (!outlined.ok) return outlined
  return { ok: true, value: JSON.parse(outlined.text) }
}

/** A document that is read in pieces, since it may be a hundred megabytes. */
export class JsonDocument {
  readonly #text: string
  readonly #outline: Outline
  readonly #name: string

  /** `name`: used in messages; empty = the upload itself. */
  constructor(text: string, outline: Outline, name = '') {
    this.#text = text
    this.#outline = outline
    this.#name = name
  }

  /** Why a strict reader refuses it; null = it does not. */
  get problem(): string | null {
    const { loose } = this.#outline
    return loose && describeProblem(this.#text, loose)
  }

  get kind(): Outline['kind'] {
    return this.#outline.kind
  }

  has(key: string): boolean {
    return this.#outline.members.has(key)
  }

  /** Returns the type of a member; null = it does not exist. */
  kindOf(key: string): Outline['kind'] | null {
    return this.#outline.members.get(key)?.kind ?? null
  }

  keys(): string[] {
    return [...this.#outline.members.keys()]
  }

  /** Parses one member; undefined = it does not exist. */
  member(key: string): unknown {
    const part = this.#outline.members.get(key)
    return part && this.#read(part)
  }

  /** The items of a document that is a list. */
  get ownItems(): readonly Range[] {
    return this.#outline.items
  }

  /** Returns the items of a member that is a list; null = it is not. */
  memberItems(key: string): readonly Range[] | null {
    const part = this.#outline.members.get(key)
    return part?.kind === 'array' ? part.items : null
  }

  /** Returns a parser of one piece; the scan has validated its JSON. */
  reader(range: Range): () => unknown {
    return () => this.#read(range)
  }

  /** Returns one piece as a document, when it is too large to be parsed as a whole. */
  part({ start, end }: Range, name: string): JsonDocument {
    const text = this.#text.slice(start, end)
    return new JsonDocument(text, runSteps(scanJson(text, 0, JSON_LIMITS, true)), name)
  }

  readWhole(): unknown {
    return this.#read(this.#outline)
  }

  #read({ start, end }: Range): unknown {
    if (end - start > MAX_PIECE_BYTES) {
      const message = `${this.#name ? `${this.#name}: ` : ''}one piece of it has ${formatMegabytes(end - start)}, and at most ${formatMegabytes(MAX_PIECE_BYTES)} can be read at once`
      throw new AppError('too-large', message)
    }
    return JSON.parse(this.#strictText(start, end))
  }

  /** Replaces NaN and infinities by null: unknown. */
  #strictText(start: number, end: number): string {
    const inside = this.#outline.constants.filter((one) => one.start >= start && one.end <= end)
    const pieces: string[] = []
    let at = start
    for (const constant of inside) {
      pieces.push(this.#text.slice(at, constant.start), 'null')
      at = constant.end
    }
    return [...pieces, this.#text.slice(at, end)].join('')
  }
}

/** Reads the single JSON document of a file. Throws an AppError that says where and what is wrong. */
export function readDocument(
  path: string,
  { file, sizeBytes }: StoredFile,
  { isLoose = false }: Pick<OutlineOptions, 'isLoose'> = {},
): JsonDocument {
  const most = BODY_LIMITS.plainBytes
  if (sizeBytes > most)
    throw new AppError(
      'too-large',
      `${path} in the archive is larger than ${formatMegabytes(most)}`,
    )
  const outlined = outlineJson(readFileSync(file), { isLoose })
  const outline = outlined.ok ? outlined.value[0] : undefined
  if (outlined.ok && outline) return new JsonDocument(outlined.text, outline, path)
  const why = outlined.ok ? 'it is empty' : outlined.problems[0]?.message
  const code = !outlined.ok && outlined.isTooMuch ? 'too-large' : 'invalid-request'
  throw new AppError(code, `${path} is not valid JSON: ${why}`)
}
