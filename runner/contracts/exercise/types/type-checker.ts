import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Programs } from '../bundle/build-programs.ts'
import type { TypesReport } from '../gate-types.ts'
import type { TypeCheckInput, WorkerData, WorkerReply } from './type-messages.ts'

const HEAP_LIMIT_MB = 1_024
const START_TIMEOUT_MS = 60_000
const RECYCLE_ABOVE_BYTES = 500 * 1024 * 1024

type Job = {
  id: number
  input: TypeCheckInput
  timeoutMs: number
  startedAt: number
  timer?: NodeJS.Timeout
  resolve: (report: TypesReport) => void
  reject: (error: Error) => void
}

const failure = (message: string, startedAt: number, timedOut = false): TypesReport => ({
  ok: false,
  diagnostics: [{ file: '', line: 1, column: 1, code: 0, message }],
  durationMs: performance.now() - startedAt,
  timedOut,
})

/**
 * A worker thread that keeps TypeScript and its libraries loaded. It starts at once and checks one task at a time;
 * one that hangs, runs out of memory or has grown large is replaced.
 */
export class TypeChecker {
  readonly #programs: Promise<Programs>
  readonly #waiting: Job[] = []
  #worker: Worker | null = null
  #ready = false
  #current: Job | null = null
  #lastId = 0
  #broken: Error | null = null
  #startTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(programs: Promise<Programs>) {
    this.#programs = programs
    void this.#start()
  }

  get load(): number {
    return this.#waiting.length + (this.#current ? 1 : 0)
  }

  /** Rejects only when the worker itself cannot run. The time-out counts from when this check begins. */
  check(input: TypeCheckInput, timeoutMs: number, signal?: AbortSignal): Promise<TypesReport> {
    const noted = new AbortController() // a run's signal outlives its checks: no listener stays behind
    const report = new Promise<TypesReport>((resolve, reject) => {
      const job: Job = {
        id: ++this.#lastId,
        input,
        timeoutMs,
        startedAt: performance.now(),
        resolve,
        reject,
      }
      signal?.addEventListener('abort', () => this.#drop(job, signal), { signal: noted.signal })
      this.#waiting.push(job)
      this.#next()
    })
    return report.finally(() => noted.abort())
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#failAll(new Error('the gate was closed'))
    await this.#stop()
  }

  #drop(job: Job, signal: AbortSignal): void {
    job.reject(signal.reason as Error)
    const place = this.#waiting.indexOf(job)
    if (place >= 0) this.#waiting.splice(place, 1)
    else if (this.#current === job) this.#finish(failure('aborted', job.startedAt), true)
  }

  async #start(): Promise<void> {
    try {
      const { folder, typeWorker, typescript, modules } = await this.#programs
      if (this.#closed) return
      const workerData: WorkerData = {
        typescript,
        modules,
        codeCache: join(folder, 'typescript.cache'),
      }
      const worker = new Worker(typeWorker, {
        workerData,
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true,
        // A roomy young generation: most of what a check makes is garbage right after it.
        resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB, maxYoungGenerationSizeMb: 96 },
      })
      this.#worker = worker
      this.#startTimer = setTimeout(
        () => this.#failAll(new Error('the type-check worker did not start')),
        START_TIMEOUT_MS,
      ).unref()
      // Idle, it must not keep the runner alive.
      if (this.#waiting.length === 0) worker.unref()
      worker.on('message', (reply: WorkerReply) => this.#receive(worker, reply))
      worker.on('error', (error) => this.#died(worker, error))
      worker.on('exit', () => this.#died(worker, new Error('the type-check worker ended')))
    } catch (error) {
      this.#failAll(error as Error)
    }
  }

  async #stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#ready = false
    clearTimeout(this.#startTimer)
    await worker?.terminate()
  }

  #restart(): void {
    void this.#stop()
    if (!this.#closed) void this.#start()
  }

  #next(): void {
    if (this.#broken) this.#failAll(this.#broken)
    const job = this.#waiting[0]
    if (!job || this.#current) return
    this.#worker?.ref()
    if (!this.#ready) return
    this.#waiting.shift()
    this.#current = job
    job.startedAt = performance.now()
    job.timer = setTimeout(
      () => this.#finish(failure('The type check took too long.', job.startedAt, true), true),
      job.timeoutMs,
    )
    this.#worker?.postMessage({ id: job.id, input: job.input })
  }

  #receive(worker: Worker, reply: WorkerReply): void {
    if (worker !== this.#worker) return
    if (reply.kind === 'ready') {
      this.#ready = true
      clearTimeout(this.#startTimer)
      this.#next()
      return
    }
    const job = this.#current
    if (job?.id !== reply.id) return
    if (reply.kind === 'threw') {
      this.#finish(failure(`The compiler gave up: ${reply.message}`, job.startedAt), true)
      return
    }
    const { diagnostics } = reply
    const durationMs = performance.now() - job.startedAt
    const report = { ok: diagnostics.length === 0, diagnostics, durationMs, timedOut: false }
    this.#finish(report, reply.heapBytes > RECYCLE_ABOVE_BYTES)
  }

  #finish(report: TypesReport, restart: boolean): void {
    const job = this.#current
    this.#current = null
    clearTimeout(job?.timer)
    job?.resolve(report)
    if (restart) this.#restart()
    else this.#worker?.unref()
    this.#next()
  }

  /** Out of memory in the middle of a check is the solution's doing; a worker that never gets ready is ours. */
  #died(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return
    this.#worker = null
    if (!this.#ready) {
      this.#failAll(error)
      return
    }
    this.#ready = false
    if (this.#current)
      this.#finish(
        failure(`The type check ended early: ${error.message}`, this.#current.startedAt),
        true,
      )
    else this.#restart()
  }

  #failAll(error: Error): void {
    this.#broken = error
    const jobs = [...(this.#current ? [this.#current] : []), ...this.#waiting]
    this.#current = null
    this.#waiting.length = 0
    for (const job of jobs) {
      clearTimeout(job.timer)
      job.reject(error)
    }
  }
}
