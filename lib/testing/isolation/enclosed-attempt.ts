import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSIDE_PATH } from '#runner/isolation/inside-paths.ts'
import type { Isolation } from '#runner/isolation/isolation.ts'
import { type EnclosedProgram, runEnclosed } from '#runner/isolation/run-enclosed.ts'
import { CappedLog } from '#runner/process/capped-log.ts'
import type { ProcessEnding } from '#runner/process/run-process.ts'

type Changes = {
  timeoutMs?: number
  diskQuotaBytes?: number
  signal?: AbortSignal
  program?: Partial<EnclosedProgram>
}

/** One attempt's folders and log below a folder of the test's own, for starting things at a level of isolation. */
export class EnclosedAttempt {
  readonly folder: string
  readonly workspace: string
  /** Occurs in the environment of everything that is started, as a run's mark does. */
  readonly mark: string
  readonly #isolation: Isolation
  #logs = 0

  constructor(isolation: Isolation) {
    this.#isolation = isolation
    this.folder = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
    this.workspace = join(this.folder, 'attempt', 'task')
    this.mark = `test-${process.pid}-${Math.random().toString(36).slice(2)}`
    for (const path of [this.workspace, this.#place('home'), this.#place('tmp')])
      mkdirSync(path, { recursive: true })
    writeFileSync(join(this.workspace, 'own.txt'), 'own work\n')
  }

  /** Runs a command inside and answers how it ended and the head of what it said. */
  async run(
    command: EnclosedProgram['command'],
    changes: Changes = {},
  ): Promise<ProcessEnding & { said: string; saidBytes: number }> {
    const log = new CappedLog(join(this.folder, `log-${this.#logs++}`), 256 << 10)
    const { home, temporary } = this.#isolation.inside(this.#places())
    const ending = await runEnclosed(
      {
        isolation: this.#isolation,
        ...this.#places(),
        folder: join(this.folder, 'attempt'),
        marker: this.mark,
        runMark: this.mark,
        settings: {
          timeoutMs: changes.timeoutMs ?? 30_000,
          diskQuotaBytes: changes.diskQuotaBytes ?? 64 << 20,
        },
        log,
        signal: changes.signal ?? new AbortController().signal,
      },
      {
        command,
        env: {
          PATH: process.env.PATH ?? INSIDE_PATH,
          HOME: home,
          TMPDIR: temporary,
          PROOFBOARD_RUN: this.mark,
        },
        ...changes.program,
      },
    )
    const { sizeBytes, droppedBytes } = log.close()
    return { ...ending, said: readFileSync(log.path, 'utf8'), saidBytes: sizeBytes + droppedBytes }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #place(name: string): string {
    return join(this.folder, 'attempt', name)
  }

  #places() {
    return {
      workspace: this.workspace,
      home: this.#place('home'),
      temporary: this.#place('tmp'),
    }
  }
}
