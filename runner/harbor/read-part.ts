import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countOf } from '#lib/domain/text/index.ts'
import type { Change } from '../repository/overlay.ts'

const MAX_BYTES = 512 << 10

/** Reads a text file of the task, which must be a regular file of limited size. */
export function readPart(folder: string, path: string): string {
  const full = join(folder, path)
  if (!existsSync(full)) throw new Error('is missing')
  const stat = lstatSync(full)
  if (!stat.isFile()) throw new Error('is not a regular file')
  if (stat.size > MAX_BYTES)
    throw new Error(`has ${countOf(stat.size, 'byte')}, more than ${MAX_BYTES}`)
  return readFileSync(full, 'utf8').replace(/^\uFEFF/, '')
}

/** Reads an instruction, without the marks around it that other systems add. */
export function readInstruction(folder: string, path: string): string {
  const text = readPart(folder, path).replaceAll('\r\n', '\n').trim()
  if (text === '') throw new Error('is empty')
  return text
}

/** Throws unless a file is there. */
export function requirePart(files: readonly Change[], path: string): void {
  if (!files.some((file) => file.path === path)) throw new Error('is missing')
}
