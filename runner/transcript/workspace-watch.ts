import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { diffLines } from 'diff'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { WorkspaceChange, WorkspaceChanges } from '#lib/domain/transcript/index.ts'
import { readPlainFile } from '../engine/read-plain-file.ts'
import { walkWorkspace } from '../engine/workspace.ts'

/** Larger workspaces are not watched: an exercise has ten files. */
const MAX_FILES = 500
/** A slower check is the last one. */
const MAX_LOOK_MS = 2000
const MAX_FILE_BYTES = 64 << 10
/** Maximum size of texts kept for counting lines. */
const MAX_KEPT_BYTES = 4 << 20
const MAX_LISTED = 50

type SeenFile = { stamp: string; digest: string | null; text: string | null }

/**
 * Checks a workspace on request, and returns the changes since the last check. Never follows a link, and opens only
 * files whose size or time changed.
 */
export class WorkspaceWatch {
  readonly #root: string
  #seen: Map<string, SeenFile> | null = null
  #hasGivenUp = false
  #keptBytes = 0
  #looking: Promise<unknown> = Promise.resolve()

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Returns the changes since the last check; null = the check failed, or it was the first one. Checks are serialised.
   */
  look(): Promise<WorkspaceChanges | null> {
    const next = this.#looking.then(() => this.#compare().catch(() => null))
    this.#looking = next
    return next
  }

  async #compare(): Promise<WorkspaceChanges | null> {
    if (this.#hasGivenUp) return null
    const startedMs = performance.now()
    const before = this.#seen
    const now = await this.#scan(before ?? new Map())
    this.#hasGivenUp = now === null || performance.now() - startedMs > MAX_LOOK_MS
    this.#seen = now
    if (before === null || now === null) return null
    const files = [...listChanges(before, now)].sort((a, b) => (a.path < b.path ? -1 : 1))
    return { files: files.slice(0, MAX_LISTED), more: Math.max(0, files.length - MAX_LISTED) }
  }

  async #scan(before: ReadonlyMap<string, SeenFile>): Promise<Map<string, SeenFile> | null> {
    const { entries, truncated } = await walkWorkspace(this.#root, MAX_FILES)
    if (truncated) return null
    const now = new Map<string, SeenFile>()
    this.#keptBytes = 0
    for (const { path } of entries) {
      const stamp = await stampOf(join(this.#root, path))
      const old = before.get(path)
      if (stamp === null) continue
      const seen = old?.stamp === stamp ? old : await this.#read(path, stamp)
      this.#keptBytes += seen.text?.length ?? 0
      now.set(path, seen)
    }
    return now
  }

  async #read(path: string, stamp: string): Promise<SeenFile> {
    const found = await readPlainFile(this.#root, path, MAX_FILE_BYTES)
    if (found.kind !== 'read') return { stamp, digest: null, text: null }
    const isKept = !found.bytes.includes(0) && this.#keptBytes < MAX_KEPT_BYTES
    const text = isKept ? found.bytes.toString('utf8') : null
    return { stamp, digest: digestBytes(found.bytes), text }
  }
}

async function stampOf(path: string): Promise<string | null> {
  try {
    const { mode, size, mtimeMs, ino } = await lstat(path)
    return `${mode} ${size} ${mtimeMs} ${ino}`
  } catch {
    return null
  }
}

function* listChanges(
  before: ReadonlyMap<string, SeenFile>,
  now: ReadonlyMap<string, SeenFile>,
): Generator<WorkspaceChange> {
  for (const [path, seen] of now) {
    const old = before.get(path)
    if (old === undefined) yield { path, kind: 'added', ...countLines('', seen.text) }
    else if (old.stamp !== seen.stamp && !isSame(old, seen))
      yield { path, kind: 'modified', ...countLines(old.text, seen.text) }
  }
  for (const [path, old] of before)
    if (!now.has(path)) yield { path, kind: 'removed', ...countLines(old.text, '') }
}

/** Returns true for a file rewritten with the same content. */
function isSame(old: SeenFile, seen: SeenFile): boolean {
  return old.digest !== null && old.digest === seen.digest
}

/** The diff of two long, unlike texts is quadratic: past the limit every line counts as replaced. */
const MAX_EDITS = 1000

function countLines(
  before: string | null,
  after: string | null,
): Pick<WorkspaceChange, 'addedLines' | 'removedLines'> {
  if (before === null || after === null) return { addedLines: null, removedLines: null }
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS })
  if (parts === undefined) return { addedLines: linesOf(after), removedLines: linesOf(before) }
  const sum = (which: 'added' | 'removed') =>
    parts.reduce((total, part) => total + (part[which] ? part.count : 0), 0)
  return { addedLines: sum('added'), removedLines: sum('removed') }
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
