import { closeSync, openSync, writeSync } from 'node:fs'
import type { TracedAction } from '#lib/domain/browser/traced-action.ts'
import type { HostReport } from '../host-protocol.ts'

/** The trace of one episode: each line is written at once, so that whoever is killed leaves what it did. */
export class TraceFile {
  readonly #descriptor: number

  constructor(path: string) {
    this.#descriptor = openSync(path, 'w', 0o644)
  }

  action(action: TracedAction): void {
    this.#line({ action })
  }

  /** The last line. */
  report(report: HostReport): void {
    this.#line({ report })
    closeSync(this.#descriptor)
  }

  #line(value: unknown): void {
    writeSync(this.#descriptor, `${JSON.stringify(value)}\n`)
  }
}
