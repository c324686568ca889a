import type { Change } from '../repository/overlay.ts'
import { readPlainFile } from './workspace.ts'

/** A longer file is not compared with what was said. */
const MAX_BYTES = 256 << 10
/** Reads of a task with very many. */
const MAX_FILES = 200

/** The files that tests and reference change, as the subject finds them: to read those is no reading of answers. */
export async function readChangedFiles(
  folder: string,
  changes: readonly Change[],
): Promise<string[]> {
  const paths = [...new Set(changes.map(({ path }) => path))].slice(0, MAX_FILES)
  const read = await Promise.all(paths.map((path) => readPlainFile(folder, path, MAX_BYTES)))
  return read.flatMap((file) => (file.kind === 'read' ? [file.bytes.toString('utf8')] : []))
}
