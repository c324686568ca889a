import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { countOf } from '#lib/domain/text/index.ts'
import type { ParseResult, Problem } from '../../../domain/text/index.ts'
import { AppError } from '../../../errors.ts'
import { BODY_LIMITS, formatMegabytes, MAX_PIECE_BYTES } from '../limits.ts'
import type { StoredFile } from '../unpack-archive.ts'
import { JSON_LIMITS, JsonProblem, JsonScan, type Outline, type Range } from './scan-json.ts'

/** `isLoose`: accepts numbers as Python writes them, for another program's format. */
type OutlineOptions = { limits?: typeof JSON_LIMITS; most?: number; isLoose?: boolean }

/** `isTooMuch`: the text is refused only for its depth or its numbers. */
type Outlined =
  | { ok: true; text: string; value: Outline[] }
  | { ok: false; problems: Problem[]; isTooMuch: boolean }

const CHARACTERS_PER_STEP = 2 << 20

/** `outlineJson` for large texts: yields to other work every few megabytes. */
export async function outlineJsonInSteps(
  bytes: Buffer,
  options: OutlineOptions = {},
): Promise<Outlined> {
  const steps = outlineSteps(bytes, options)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await breathe()
  return step.value
}

/**
 * Outlines the JSON documents in a text: one of a `.json`, one per line of JSON Lines. Refuses what JSON.parse would
 * accept and no honest file contains: duplicate keys, keys of the prototype, integers that lose digits, infinite
 * numbers, half surrogate pairs, a byte order mark, unlimited depth. Never throws for bad input.
 */
export function outlineJson(bytes: Buffer, options: OutlineOptions = {}): Outlined {
  const steps = outlineSteps(bytes, options)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

function* outlineSteps(
  bytes: Buffer,
  { limits = JSON_LIMITS, most = 1, isLoose = false }: OutlineOptions,
): Generator<void, Outlined> {
  const encoding = findEncodingProblem(bytes)
  if (encoding !== null) return refuse(encoding)
  const text = bytes.toString()
  const value: Outline[] = []
  let [at, pauseAt] = [0, CHARACTERS_PER_STEP]
  try {
    do {
      if (value.length >= most)
        throw new JsonProblem(`more than ${countOf(most, 'document')}`, at, true)
      const scan = new JsonScan(text, at, limits, isLoose)
      while (scan.step())
        if (scan.at > pauseAt) {
          yield
          pauseAt = scan.at + CHARACTERS_PER_STEP
        }
      value.push(scan.outline)
      at = findNext(text, scan.outline.end, most > 1)
    } while (at < text.length)
    return { ok: true, text, value }
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
function findNext(text: string, end: number, mayFollow: boolean): number {
  const space = /[ \t\n\r]*/y
  space.lastIndex = end
  const between = space.exec(text)?.[0] ?? ''
  const at = end + between.length
  if (at < text.length && !(mayFollow && between.includes('\n')))
    throw new JsonProblem('something follows after the end', at)
  return at
}

function findEncodingProblem(bytes: Buffer): string | null {
  const mark = bytes.toString('latin1', 0, 3)
  if (/^(?:\xff\xfe|\xfe\xff)/.test(mark)) return 'the text is UTF-16: save it as UTF-8'
  if (mark === '\xef\xbb\xbf')
    return 'the text starts with a byte order mark: save it as UTF-8 without one'
  return isUtf8(bytes) ? null : 'the text is not UTF-8'
}

function refuse(message: string, isTooMuch = false): Outlined {
  return { ok: false, problems: [{ path: '(root)', message }], isTooMuch }
}

/** Parses a strict JSON text to the value of JSON.parse, or returns what is wrong and where. Never throws. */
export function parseStrictJson(bytes: Buffer, limits = JSON_LIMITS): ParseResult<unknown> {
  const outlined = outlineJson(bytes, { limits })
  return outlined.ok ? { ok: true, value: JSON.parse(outlined.text) } : outlined
}

/** A document that is read in pieces, since it may be a hundred megabytes. */
export class JsonDocument {
  /** `name`: used in messages; empty = the upload itself. */
  constructor(
    private readonly text: string,
    readonly outline: Outline,
    private readonly name = '',
  ) {}

  /** Why a strict reader refuses it; null = it does not. */
  get problem(): string | null {
    return this.outline.loose && describeProblem(this.text, this.outline.loose)
  }

  has(key: string): boolean {
    return this.outline.members.has(key)
  }

  /** Parses one member; undefined = it does not exist. */
  member(key: string): unknown {
    const part = this.outline.members.get(key)
    return part && this.read(part)
  }

  readWhole(): unknown {
    return this.read(this.outline)
  }

  /** Returns one piece as a document, when it is too large to be parsed as a whole. */
  part({ start, end }: Range, name: string): JsonDocument {
    const scan = new JsonScan(this.text.slice(start, end), 0, JSON_LIMITS, true)
    while (scan.step());
    return new JsonDocument(scan.text, scan.outline, name)
  }

  /** Parses one piece; NaN and infinities become null: unknown. */
  read({ start, end }: Range): unknown {
    if (end - start > MAX_PIECE_BYTES) {
      const message = `${this.name ? `${this.name}: ` : ''}one piece of it has ${formatMegabytes(end - start)}, and at most ${formatMegabytes(MAX_PIECE_BYTES)} can be read at once`
      throw new AppError('too-large', message)
    }
    const inside = this.outline.constants.filter((one) => one.start >= start && one.end <= end)
    const starts = [start, ...inside.map((one) => one.end)]
    const parts = starts.map((from, at) => this.text.slice(from, inside[at]?.start ?? end))
    return JSON.parse(parts.join('null'))
  }
}

/** Reads the single JSON document of a file. Throws an AppError that says where and what is wrong. */
export function readDocument(
  path: string,
  { file, sizeBytes }: StoredFile,
  { isLoose = false }: Pick<OutlineOptions, 'isLoose'> = {},
): JsonDocument {
  const most = formatMegabytes(BODY_LIMITS.plainBytes)
  if (sizeBytes > BODY_LIMITS.plainBytes)
    throw new AppError('too-large', `${path} in the archive is larger than ${most}`)
  const outlined = outlineJson(readFileSync(file), { isLoose })
  const outline = outlined.ok ? outlined.value[0] : undefined
  if (outlined.ok && outline) return new JsonDocument(outlined.text, outline, path)
  const why = outlined.ok ? 'it is empty' : outlined.problems[0]?.message
  const code = !outlined.ok && outlined.isTooMuch ? 'too-large' : 'invalid-request'
  throw new AppError(code, `${path} is not valid JSON: ${why}`)
}
