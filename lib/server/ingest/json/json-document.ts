import { readFileSync } from 'node:fs'
import { AppError } from '../../../errors.ts'
import { BODY_LIMITS, formatMegabytes, MAX_PIECE_BYTES } from '../limits.ts'
import type { StoredFile } from '../unpack-archive.ts'
import { JsonScan, type Outline, type Range } from './scan-json.ts'

/** A document that is read in pieces, since it may be a hundred megabytes. */
export class JsonDocument {
  constructor(
    readonly scan: JsonScan,
    readonly outline: Outline,
  ) {}

  has(key: string): boolean {
    return this.outline.members.has(key)
  }

  /** Parses one member; undefined = it does not exist. */
  member(key: string): unknown {
    const part = this.outline.members.get(key)
    return part && this.read(part)
  }

  /** Returns one piece as a document, when it is too large to be parsed as a whole. */
  part({ start, end }: Range, name: string): JsonDocument {
    return firstDocument(new JsonScan(this.scan.text.slice(start, end), name))
  }

  /** Parses one piece, or the whole; NaN and infinities become null: unknown. */
  read({ start, end }: Range = this.outline): unknown {
    if (end - start > MAX_PIECE_BYTES) {
      const message = `${this.scan.name}: one piece of it has ${formatMegabytes(end - start)}, and at most ${formatMegabytes(MAX_PIECE_BYTES)} can be read at once`
      throw new AppError('too-large', message)
    }
    const piece = this.scan.text.slice(start, end)
    return JSON.parse(this.scan.loose ? withoutConstants(piece) : piece)
  }
}

/** Replaces NaN and infinities outside of strings. */
function withoutConstants(piece: string): string {
  let isString = false
  return piece.replace(/\\.|"|NaN|-?Infinity/g, (found) => {
    if (found === '"') isString = !isString
    return isString || found.length < 3 ? found : 'null'
  })
}

/** Reads the single JSON document of a file, or throws an AppError. `isLoose` accepts numbers as Python writes them. */
export function readDocument(
  path: string,
  { file, sizeBytes }: StoredFile,
  { isLoose = false }: { isLoose?: boolean } = {},
): JsonDocument {
  const most = formatMegabytes(BODY_LIMITS.plainBytes)
  if (sizeBytes > BODY_LIMITS.plainBytes)
    throw new AppError('too-large', `${path} in the archive is larger than ${most}`)
  const document = firstDocument(new JsonScan(readFileSync(file), path))
  if (document.scan.loose && !isLoose) throw document.scan.loose
  return document
}

function firstDocument(scan: JsonScan): JsonDocument {
  while (scan.step());
  return new JsonDocument(scan, scan.outlines[0] as Outline)
}
