import { processWide } from '../../process-wide.ts'
import { FollowedFile, type FollowedLine, splitLines } from './followed-file.ts'

type Shared = { file: FollowedFile; readers: number }

const files = processWide('followed files', () => new Map<string, Shared>())

/** One reader of a growing file: lines from its position, only complete ones while more may follow. */
export type FileReader = {
  offset: number
  /** Counts changes of the file; take it before reading, and pass it to `untilChanged`. */
  version: () => number
  /**
   * Returns the next lines, if there are any, and advances. `final` includes a last line without an end. `reset` = the
   * file was truncated or replaced: reading starts again at 0.
   */
  next: (final?: boolean) => Promise<FollowedLine[] | 'reset'>
  /** Checks now instead of waiting for the watcher. */
  look: () => Promise<void>
  onChange: (wake: () => void) => () => void
  close: () => void
}

/** Follows a file from a byte offset; all readers of one file share its watcher and recent reads. */
export function followFile(path: string, offset: number): FileReader {
  const { file, release } = share(path)
  let generation = file.generation
  const reader: FileReader = {
    offset,
    version: () => file.version,
    look: () => file.look(),
    onChange: (wake) => file.onChange(wake),
    close: release,
    async next(final = false) {
      const bytes = await file.read(reader.offset)
      // The data may extend past the last known size, so only a new check shows that the file became shorter.
      if (bytes.length === 0 && reader.offset > file.size) await file.look()
      const isPast = bytes.length === 0 && file.size > 0 && reader.offset > file.size
      if (generation !== file.generation || isPast) {
        generation = file.generation
        reader.offset = 0
        return 'reset'
      }
      const { lines, end } = splitLines(bytes, reader.offset, final)
      reader.offset = end
      return lines
    },
  }
  return reader
}

function share(path: string): { file: FollowedFile; release: () => void } {
  const known = files.get(path) ?? { file: new FollowedFile(path), readers: 0 }
  files.set(path, known)
  known.readers++
  let released = false
  const release = () => {
    if (released) return
    released = true
    known.readers--
    if (known.readers > 0) return
    files.delete(path)
    void known.file.close().catch(() => {})
  }
  return { file: known.file, release }
}

/** Returns the number of watched files. */
export function countFollowed(): number {
  return files.size
}

type Watched = Pick<FileReader, 'version' | 'onChange'>

/** Records the state of files, so that changes between the record and the wait are not missed. */
export function noteVersions(watched: readonly Watched[]): () => boolean {
  const versions = watched.map((one) => one.version())
  return () => watched.some((one, index) => one.version() !== versions[index])
}

/** Resolves once a file changed since the record was taken, or `signal` fired. */
export async function untilChanged(
  watched: readonly Watched[],
  hasChanged: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const undo: (() => void)[] = []
    const wake = () => {
      for (const one of undo) one()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    for (const one of watched) undo.push(one.onChange(wake))
    signal.addEventListener('abort', wake)
    if (hasChanged() || signal.aborted) wake()
  })
}
