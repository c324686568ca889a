import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { countOf } from '#lib/domain/text/index.ts'
import { BOOT, childFlags } from '../bundle/build-programs.ts'
import type { GradingSandbox, SandboxedCommand } from '../sandboxed-command.ts'
import type { TestProcessEnd } from '../verifier-types.ts'
import { MAX_CPU_SECONDS, MAX_DATA_BYTES } from './test-limits.ts'
import { type OutOfTime, watchTime } from './watch-time.ts'

const REPORT_LIMIT = 32 * 1024 * 1024
const OUTPUT_LIMIT = 192 * 1024
/** Hard limits by the kernel: CPU seconds, memory in kB, no core, no file writes. */
const LIMITS = `umask 022; ulimit -t ${MAX_CPU_SECONDS}; ulimit -d ${MAX_DATA_BYTES / 1024}; ulimit -c 0; ulimit -f 0`
/** Sent by the test process when its sandbox is ready and it waits for work. */
const READY = '{"kind":"ready"}\n'
/** Start of a report's last record, after its nonce; see child/main.ts. */
const CLOSED = '"kind":"close"}\n'

/** Text of a stream up to a limit; the rest is counted and dropped. */
class CappedText {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #size = 0
  #dropped = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, Math.max(0, this.#limit - this.#size))
    if (kept.length > 0) this.#chunks.push(kept)
    this.#size += kept.length
    this.#dropped += chunk.length - kept.length
  }

  text(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return this.#dropped > 0
      ? `${text}\n[${countOf(this.#dropped, 'more byte was', 'more bytes were')} dropped]\n`
      : text
  }
}

/** One node process that runs one attempt's tests or scenario, in a sandbox and a process group of its own. */
export class TestProcess {
  readonly #child: ChildProcess
  #report = new CappedText(REPORT_LIMIT)
  /** Called when the report says that it is whole. */
  #onClose: (() => void) | null = null
  readonly #output = new CappedText(OUTPUT_LIMIT)
  readonly #closed: Promise<{ exitCode: number | null; signal: string | null }>
  readonly #release: SandboxedCommand['release']
  #stoppedBy: TestProcessEnd['stoppedBy'] = null
  #wasReady = false
  /** Settles when it waits for work; rejects when it ended before. */
  readonly ready: Promise<void>

  /** Starts it ahead of its work: it makes its sandbox and then waits on its input pipe. */
  constructor(program: Buffer, place: GradingSandbox) {
    const { command, release } = place.enter([...childFlags(), '-e', BOOT])
    this.#release = release
    this.#child = spawn('/bin/sh', ['-c', `${LIMITS}; exec "$@"`, 'sh', ...command], {
      cwd: '/',
      env: {} as NodeJS.ProcessEnv,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    })
    const [, stdout, stderr, input, report] = this.#child.stdio as [
      null,
      Readable,
      Readable,
      Writable,
      Readable,
    ]
    stdout.on('data', (chunk: Buffer) => this.#output.add(chunk))
    stderr.on('data', (chunk: Buffer) => this.#output.add(chunk))
    // A process that is gone breaks its pipes; its end says so already.
    for (const stream of [stdout, stderr, input, report]) stream.on('error', () => undefined)
    this.#closed = new Promise((resolve, reject) => {
      this.#child.on('error', reject)
      this.#child.on('close', (exitCode, signal) => resolve(readEnding(exitCode, signal)))
    })
    this.#closed.catch(() => undefined)
    this.ready = this.#listen(report)
    this.ready.catch(() => undefined)
    input.write(program)
    this.#keepAlive(false)
  }

  /** The first line of the report says that it waits; all that follows is the report. */
  #listen(report: Readable): Promise<void> {
    let head = ''
    return new Promise((resolve, reject) => {
      report.on('data', (chunk: Buffer) => {
        if (head.length >= READY.length) {
          this.#report.add(chunk)
          if (this.#onClose && chunk.includes(CLOSED)) this.#onClose()
          return
        }
        const missing = READY.length - head.length
        head += chunk.subarray(0, missing).toString('latin1')
        if (head === READY) {
          this.#wasReady = true
          resolve()
        }
        this.#report.add(chunk.subarray(missing))
      })
      this.#closed.then(
        () =>
          reject(new Error(`the test process did not start: ${this.#output.text().slice(-2_000)}`)),
        reject,
      )
    })
  }

  get isAlive(): boolean {
    return (
      this.#child.pid !== undefined &&
      this.#child.exitCode === null &&
      this.#child.signalCode === null
    )
  }

  /** Sends the work and waits until the process is gone. */
  async run(
    input: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<TestProcessEnd> {
    this.#keepAlive(true)
    const watch = watchTime(this.#child.pid, timeoutMs, (reason) => this.#stop(reason))
    const abort = () => this.#stop('abort')
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    const pipe = this.#child.stdio[3] as Writable
    pipe.end(frame(input, false))
    try {
      const { exitCode, signal: endedBy } = await this.#closed
      return {
        exitCode,
        signal: endedBy,
        report: this.#report.text(),
        output: this.#output.text(),
        stoppedBy: this.#stoppedBy,
      }
    } finally {
      watch.end()
      signal?.removeEventListener('abort', abort)
    }
  }

  /**
   * Sends one of several inputs to the same process, which stays alive: for references only. A process that did not
   * finish its report is not used again.
   */
  async answer(input: string, timeoutMs: number): Promise<TestProcessEnd> {
    this.#keepAlive(true)
    this.#report = new CappedText(REPORT_LIMIT)
    const watch = watchTime(this.#child.pid, timeoutMs, (reason) => this.#stop(reason))
    const whole = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
      this.#onClose = () => resolve({ exitCode: 0, signal: null })
    })
    ;(this.#child.stdio[3] as Writable).write(frame(input, true))
    try {
      const ending = await Promise.race([whole, this.#closed])
      const texts = { report: this.#report.text(), output: this.#output.text() }
      return { ...ending, ...texts, stoppedBy: this.#stoppedBy }
    } finally {
      watch.end()
      this.#onClose = null
      this.#keepAlive(false)
    }
  }

  /** Kills the whole group, and waits until it is reaped and its sandbox is released. */
  async close(): Promise<void> {
    this.kill()
    this.#keepAlive(true)
    await this.#closed.catch(() => undefined)
    await this.#release(this.#wasReady)
  }

  kill(): void {
    const { pid } = this.#child
    // A sandbox that is not yet bound to its parent ends when its input is closed.
    ;(this.#child.stdio[3] as Writable).destroy()
    if (pid === undefined || !this.isAlive) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      this.#child.kill('SIGKILL')
    }
  }

  #stop(reason: OutOfTime | 'abort'): void {
    this.#stoppedBy ??= reason
    this.kill()
  }

  /** A prewarmed process that waits must not keep the runner from ending. */
  #keepAlive(yes: boolean): void {
    const handles = [this.#child, ...this.#child.stdio] as ({
      ref?(): void
      unref?(): void
    } | null)[]
    for (const handle of handles) yes ? handle?.ref?.() : handle?.unref?.()
  }
}

function frame(input: string, moreToCome: boolean): string {
  return `${Buffer.byteLength(input)} ${moreToCome ? 1 : 0}\n${input}`
}

/** bwrap reports the signal that ended the process inside by its exit code. */
function readEnding(exitCode: number | null, signal: string | null) {
  const inside = exitCode !== null && exitCode > 128 ? exitCode - 128 : null
  const name = Object.entries(constants.signals).find(([, number]) => number === inside)?.[0]
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name }
}
