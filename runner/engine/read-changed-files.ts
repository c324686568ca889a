import type { Change } from '../repository/overlay.ts'
import { readPlainFile } from './read-plain-file.ts'

/** Longer files are not compared with the transcript. */
const MAX_BYTES = 256 << 10
/** Maximum number of files read of a task. */
const MAX_FILES = 200

/** Reads the original versions of files that tests and reference change: reading those is not cheating. */
export async function readChangedFiles(
  folder: string,
  changes: readonly Change[],
): Promise<string[]> {
  const paths = [...new Set(changes.map(({ path }) => path))].slice(0, MAX_FILES)
  const read = await Promise.all(paths.map((path) => readPlainFile(folder, path, MAX_BYTES)))
  return read.flatMap((file) => (file.kind === 'read' ? [file.bytes.toString('utf8')] : []))
}
