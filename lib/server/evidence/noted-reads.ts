import { AsyncLocalStorage } from 'node:async_hooks'
import { lstatSync } from 'node:fs'
import { processWide } from '../../process-wide.ts'

/** The files that some work read, each as it was before it was read: whether its result would still be the same. */
export class NotedReads {
  readonly #versions = new Map<string, string>()
  #isFinal = true

  note(path: string): void {
    const version = versionOf(path)
    const before = this.#versions.get(path)
    if (before !== undefined && before !== version) this.#isFinal = false
    this.#versions.set(path, version)
  }

  /** It read what cannot be looked at again for nothing, as from another machine. */
  refuse(): void {
    this.#isFinal = false
  }

  /** Some microseconds a file. */
  areUnchanged(): boolean {
    if (!this.#isFinal) return false
    for (const [path, version] of this.#versions) if (versionOf(path) !== version) return false
    return true
  }
}

/** Every write, move and replacement of a file changes one of these, and no program can set the last. */
function versionOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return found ? [found.ino, found.size, found.mtimeNs, found.ctimeNs].join() : 'absent'
}

const noting = processWide('noted reads', () => new AsyncLocalStorage<NotedReads>())

/** Runs `work`, and notes what it reads, and what it starts. */
export function notingReads<T>(reads: NotedReads, work: () => T): T {
  return noting.run(reads, work)
}

/** Before a file is read, or looked for. Does nothing outside of `notingReads`. */
export function noteRead(path: string): void {
  noting.getStore()?.note(path)
}

/** Where more is read than files that were noted. */
export function refuseNoting(): void {
  noting.getStore()?.refuse()
}
