import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { INSIDE_PATH, type Isolation } from '#runner/sandbox/isolation/isolation.ts'
import { type EnclosedProgram, runEnclosed } from '#runner/sandbox/isolation/run-enclosed.ts'
import { CappedLog } from '#runner/sandbox/process/capped-log.ts'
import type { ProcessEnding } from '#runner/sandbox/process/run-process.ts'

type Changes = {
  timeoutMs?: number
  diskQuotaBytes?: number
  signal?: AbortSignal
  program?: Partial<EnclosedProgram>
}

/** Folders and log of one attempt, for starting programs at an isolation level. */
export class SandboxedAttempt {
  readonly folder: string
  readonly workspace: string
  /** Part of the environment of every started program, like a run's mark. */
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

  /** Runs a command inside; returns how it ended and the first part of its output. */
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

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

type HostSecrets = {
  word: string
  /** Files of this machine that no subject should read, by purpose. */
  files: Record<string, string>
  remove: () => void
}

/**
 * Plants secrets where a curious subject would look: the home folder, the data folder, another attempt, the
 * environment.
 */
export function plantSecrets(): HostSecrets {
  const word = `secret${Math.random().toString(36).slice(2)}`
  const home = mkdtempSync(join(homedir(), '.proofboard-test-'))
  const data = mkdtempSync(join(tmpdir(), 'proofboard-test-data-'))
  const other = join(data, 'proofboard-other', 'episode-1', 'two-sum')
  mkdirSync(other, { recursive: true })
  const files = {
    home: join(home, 'key'),
    data: join(data, 'proofboard.db'),
    otherWorkspace: join(other, 'solution.ts'),
  }
  for (const path of Object.values(files)) writeFileSync(path, `${word}\n`)
  process.env.PROOFBOARD_TEST_SECRET = word
  return {
    word,
    files: {
      ...files,
      reference: join(ROOT, 'exercises', 'typescript', 'lru-cache', '.meta', 'reference.ts'),
    },
    remove: () => {
      delete process.env.PROOFBOARD_TEST_SECRET
      for (const path of [home, data]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Pids of processes whose command line contains `words`, in any namespace. */
export function findProcesses(words: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
        return line.includes(words)
      } catch {
        return false
      }
    })
}

/** An argument for `sleep` that no other process uses. */
export function uniqueSleep(): string {
  return `864${Math.floor(Math.random() * 1e9)}`
}
