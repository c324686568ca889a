import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { hostId } from '#lib/setup/host.mjs'
import { processWide } from '../../process-wide.ts'
import { locateProcess } from '../../processes/is-process-alive.ts'

/** Drafts of this process. Process ids alone are ambiguous: they start again in a new container. */
const own = processWide('drafts', () => new Set<string>())

/**
 * Returns a folder to write in, to be renamed to `target` once it is complete. Removes drafts of the same target whose
 * process was killed.
 */
export function draftOf(target: string): string {
  const draft = `${target}.${process.pid}@${hostId()}.tmp`
  // Leftovers of an earlier attempt of this process do not belong to the next one.
  own.delete(draft)
  removeDrafts(dirname(target), ({ of, host }) => of === basename(target) && host !== undefined)
  own.add(draft)
  return draft
}

/**
 * Creates a temporary folder that is deleted at the end. Removes those of the same kind whose process was killed,
 * because they may contain copies of a database.
 */
export function temporaryFolder(kind: string): string {
  const start = `proofboard-${kind}-`
  removeDrafts(tmpdir(), ({ of, path }) => of.startsWith(start) && isOfThisUser(path))
  const name = `${start}${randomBytes(4).toString('hex')}`
  const folder = join(tmpdir(), `${name}.${process.pid}@${hostId()}.tmp`)
  mkdirSync(folder, { mode: 0o700 })
  own.add(folder)
  return folder
}

/** Returns whether a path belongs to this user: the temporary folder is shared by all. */
function isOfThisUser(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

/** `of` = its target; `host` undefined = written by an earlier version. */
type Draft = { of: string; host: string | undefined; path: string }

/** Removes from a folder the drafts that `isWanted` accepts and whose process is gone. */
export function removeDrafts(folder: string, isWanted: (draft: Draft) => boolean): void {
  for (const name of namesIn(folder)) {
    const [, of, pid, host] = DRAFT.exec(name) ?? []
    const path = join(folder, name)
    if (of === undefined || !isWanted({ of, host, path })) continue
    if (isLeft(path, Number(pid), host)) rmSync(path, { recursive: true, force: true })
  }
}

const DRAFT = /^(.+?)\.(\d+)(?:@([\w.-]+))?\.tmp$/

/** Time without a new file after which another machine's draft counts as abandoned. */
const ELSEWHERE_MS = 7 * 86_400_000

function isLeft(draft: string, pid: number, host: string | undefined): boolean {
  if (pid === process.pid && host === hostId()) return !own.has(draft)
  const writer = locateProcess(pid, host)
  if (writer !== 'elsewhere') return writer === 'gone'
  const written = statSync(draft, { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && Date.now() - written > ELSEWHERE_MS
}

/** Lists the names in a folder; empty if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
