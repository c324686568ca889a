import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { relativePathSchema } from '#lib/domain/record/index.ts'
import { countOf, parseJson } from '#lib/domain/text/index.ts'
import { patch } from '../engine/workspace.ts'
import { type Change, isOfGit } from './overlay.ts'
import type { PreparedBase } from './prepare-base.ts'
import type { TakenWork } from './take-changes.ts'

/** The exact patch of an attempt, including binary files. */
export const CHANGES_FILE = 'changes.json'

const changesSchema = z.array(
  z.object({
    path: relativePathSchema.refine((path) => !isOfGit(path), 'is a file of git'),
    executable: z.boolean(),
    /** Absent = the file was deleted. */
    text: z.string().optional(),
    base64: z.base64().optional(),
  }),
)

/** Serialises changes as one JSON text, byte for byte. */
export function writeChanges(changes: readonly Change[]): string {
  const list = changes.map(({ path, executable, bytes }) => ({
    path,
    executable,
    ...(bytes === null ? {} : encode(bytes)),
  }))
  return `${JSON.stringify(list, null, 1)}\n`
}

function encode(bytes: Buffer): { text: string } | { base64: string } {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString('base64') }
}

/** Parses such a text; null = invalid. */
export function readChanges(text: string): Change[] | null {
  const parsed = changesSchema.safeParse(parseJson(text))
  if (!parsed.success) return null
  return parsed.data.map(({ path, executable, text: own, base64 }) => ({
    path,
    executable,
    bytes:
      own === undefined && base64 === undefined
        ? null
        : Buffer.from(own ?? base64 ?? '', own === undefined ? 'base64' : 'utf8'),
  }))
}

const MAX_DIFF = 1 << 20
const MAX_FILE = 256 << 10
const MAX_FILES = 200

/** Formats the patch as a unified diff for people; large, binary and restored files are only named. */
export function diffChanges({ entries, folder }: PreparedBase, work: TakenWork): Promise<string> {
  const files = new Set(entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : [])))
  return diffTaken(async (path) => (files.has(path) ? readFile(join(folder, path)) : null), work)
}

/** Like `diffChanges`, with the files that `readBefore` returns; null = no such file. */
export async function diffTaken(
  readBefore: (path: string) => Promise<Buffer | null>,
  { changes, touched, findings }: TakenWork,
): Promise<string> {
  const parts: string[] = []
  for (const { path, bytes } of changes.slice(0, MAX_FILES)) {
    parts.push(diffOne(path, await readBefore(path), bytes))
  }
  if (changes.length > MAX_FILES)
    parts.push('Only named: more files were changed than are shown here\n')
  for (const { path, change } of touched.slice(0, MAX_FILES))
    parts.push(`Only named: ${path} was put back (${change})\n`)
  for (const { detail } of findings) parts.push(`Only named: refused: ${detail}\n`)
  const text = parts.join('')
  return text.length > MAX_DIFF ? `${text.slice(0, MAX_DIFF)}\n[cut]\n` : text
}

function diffOne(path: string, before: Buffer | null, after: Buffer | null): string {
  const isText = [before, after].every((bytes) => !bytes?.includes(0))
  const size = Math.max(before?.length ?? 0, after?.length ?? 0)
  if (!isText) return `Only named: ${path} is binary (${countOf(after?.length ?? 0, 'byte')})\n`
  if (size > MAX_FILE) return `Only named: ${path} has ${countOf(size, 'byte')}\n`
  return patch(path, before?.toString('utf8') ?? null, after?.toString('utf8') ?? null)
}
