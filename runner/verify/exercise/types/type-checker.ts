import { Worker } from 'node:worker_threads'
import { machineError } from '../../../runner-error.ts'
import type { Programs } from '../bundle/build-programs.ts'
import { wallLimitMs } from '../tests/watch-time.ts'
import type { SourceFile, TypesReport } from '../verifier-types.ts'
import type {
  Expectation,
  TypeCheckInput,
  WorkerData,
  WorkerReply,
  WorkerRequest,
} from './type-messages.ts'

const HEAP_LIMIT_MB = 1_024
const RECYCLE_ABOVE_BYTES = 500 * 1024 * 1024
/** A worker that is not ready by then is replaced: the machine may have been busy at its first start. */
const START_LIMITS_MS = [60_000, 120_000, 240_000]
const LOOK_EACH_MS = 250
const MAX_DEATHS = 2
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

type Ask =
  | { ask: 'types'; input: TypeCheckInput; resolve: (report: TypesReport) => void }
  | { ask: 'expectations'; files: SourceFile[]; resolve: (found: Expectation[]) => void }
  | { ask: 'watch'; files: SourceFile[]; resolve: (watched: SourceFile[]) => void }

type Job = Ask & {
  id: number
  timeoutMs: number
  startedAt: number
  timer?: NodeJS.Timeout
  /** Workers that died during it. */
  deaths: number
  reject: (error: Error) => void
}

const failure = (message: string, startedAt: number, timedOut = false): TypesReport => ({
  ok: false,
  diagnostics: [{ file: '', line: 1, column: 1, code: 0, message }],
  durationMs: performance.now() - startedAt,
  timedOut,
})

/**
 * A worker thread that keeps TypeScript and its libraries loaded. It starts at once and checks one task at a time; one
 * that hangs, runs out of memory, does not start or has grown large is replaced.
 */
export class TypeChecker {
  readonly #programs: Promise<Programs>
  readonly #waiting: Job[] = []
  #worker: Worker | null = null
  #ready = false
  #current: Job | null = null
  #lastId = 0
  #starts = 0
  #starting = false
  #startTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(programs: Promise<Programs>) {
    this.#programs = programs
    void this.#start()
  }

  get load(): number {
    return this.#waiting.length + (this.#current ? 1 : 0)
  }

  /** Resolves when the compiler works, so that later calls need not wait for its start. */
  async ready(signal?: AbortSignal): Promise<void> {
    if (!this.#ready) await this.findExpectations([], signal)
  }

  /** Rejects only if the worker itself cannot run. The limit counts from the start of this check. */
  check(input: TypeCheckInput, timeoutMs: number, signal?: AbortSignal): Promise<TypesReport> {
    return this.#enqueue<TypesReport>(
      (resolve) => ({ ask: 'types', input, resolve }),
      timeoutMs,
      signal,
    )
  }

  /**
   * Finds every `expect` of these test files that can be altered. They are trusted: no limit is expected to be reached.
   */
  findExpectations(files: SourceFile[], signal?: AbortSignal): Promise<Expectation[]> {
    return this.#enqueue<Expectation[]>(
      (resolve) => ({ ask: 'expectations', files, resolve }),
      60_000,
      signal,
    )
  }

  /** Adds watchers before a solution's assignments. Unparsable text stays unchanged: it will not compile either. */
  async watchAssignments(files: SourceFile[], signal?: AbortSignal): Promise<SourceFile[]> {
    return this.#enqueue<SourceFile[]>(
      (resolve) => ({ ask: 'watch', files, resolve }),
      10_000,
      signal,
    )
  }

  #enqueue<T>(
    ask: (resolve: (answer: T) => void) => Ask,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const noted = new AbortController() // a run's signal outlives its checks, so the listener is removed
    const answer = new Promise<T>((resolve, reject) => {
      const times = { timeoutMs, startedAt: performance.now() }
      const job: Job = { ...ask(resolve), id: ++this.#lastId, ...times, deaths: 0, reject }
      if (this.#closed) return reject(new Error('the verifier was closed'))
      signal?.addEventListener('abort', () => this.#drop(job, signal), { signal: noted.signal })
      this.#waiting.push(job)
      if (this.#worker === null && !this.#starting) {
        this.#starts = 0
        void this.#start()
      }
      this.#next()
    })
    return answer.finally(() => noted.abort())
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#failAll(new Error('the verifier was closed'))
    await this.#stop()
  }

  #drop(job: Job, signal: AbortSignal): void {
    job.reject(signal.reason as Error)
    const place = this.#waiting.indexOf(job)
    if (place >= 0) this.#waiting.splice(place, 1)
    else if (this.#current === job) this.#end(true)
  }

  async #start(): Promise<void> {
    this.#starting = true
    try {
      const { typeWorker, compiler, modules } = await this.#programs
      if (this.#closed) return
      const workerData: WorkerData = { compiler, modules }
      const worker = new Worker(typeWorker, {
        eval: true,
        workerData,
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true,
        // A large young generation: most memory of a check is garbage right after it.
        resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB, maxYoungGenerationSizeMb: 96 },
      })
      this.#worker = worker
      const limit = START_LIMITS_MS[Math.min(this.#starts, START_LIMITS_MS.length - 1)]
      this.#starts++
      this.#startTimer = setTimeout(() => this.#died(worker, new Error(LATE)), limit).unref()
      // An idle worker must not keep the runner alive.
      if (this.#waiting.length === 0) worker.unref()
      worker.on('message', (reply: WorkerReply) => this.#receive(worker, reply))
      worker.on('error', (error) => this.#died(worker, error))
      worker.on('exit', () => this.#died(worker, new Error('the type-check worker ended')))
    } catch (error) {
      this.#failAll(error as Error)
    } finally {
      this.#starting = false
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
    const job = this.#waiting[0]
    if (!job || this.#current) return
    this.#worker?.ref()
    if (!this.#ready) return
    this.#waiting.shift()
    this.#current = job
    job.startedAt = performance.now()
    this.#watch(job, process.cpuUsage())
    this.#worker?.postMessage(requestOf(job))
  }

  /**
   * The limit is CPU time, so that a busy machine does not count against the solution. Other work of ours may end it
   * early.
   */
  #watch(job: Job, before: NodeJS.CpuUsage): void {
    const { user, system } = process.cpuUsage(before)
    const left = job.timeoutMs - (user + system) / 1000
    const isLate = performance.now() - job.startedAt >= wallLimitMs(job.timeoutMs)
    if (left > 0 && !isLate) {
      job.timer = setTimeout(() => this.#watch(job, before), Math.max(LOOK_EACH_MS, left))
      return
    }
    if (left > 0 && job.ask === 'types')
      job.reject(machineError('this machine did not give the type check its time of CPU'))
    else this.#refuse(job, 'The type check took too long.', true)
    this.#end(true)
  }

  #receive(worker: Worker, reply: WorkerReply): void {
    if (worker !== this.#worker) return
    if (reply.kind === 'ready') {
      this.#ready = true
      this.#starts = 0
      clearTimeout(this.#startTimer)
      this.#next()
      return
    }
    const job = this.#current
    if (job?.id === reply.id) this.#settle(job, reply)
  }

  #settle(job: Job, reply: Exclude<WorkerReply, { kind: 'ready' }>): void {
    switch (reply.kind) {
      case 'threw':
        this.#refuse(job, `The compiler gave up: ${reply.message}`)
        break
      case 'found':
        if (job.ask === 'expectations') job.resolve(reply.expectations)
        break
      case 'watched':
        if (job.ask === 'watch') job.resolve(reply.files)
        break
      case 'checked':
        if (job.ask === 'types') job.resolve(toReport(reply.diagnostics, job.startedAt))
    }
    const isSpent = reply.kind === 'checked' && reply.heapBytes > RECYCLE_ABOVE_BYTES
    this.#end(isSpent || reply.kind === 'threw')
  }

  /** Errors that a type check cannot survive are caused by the solution; others by the harness. */
  #refuse(job: Job, message: string, timedOut = false): void {
    if (job.ask === 'types') job.resolve(failure(message, job.startedAt, timedOut))
    else if (job.ask === 'watch') job.resolve(job.files)
    else job.reject(new Error(message))
  }

  #end(restart: boolean): void {
    clearTimeout(this.#current?.timer)
    this.#current = null
    if (restart) this.#restart()
    else this.#worker?.unref()
    this.#next()
  }

  /**
   * A check whose worker died is retried once on a new one. Out of memory twice is caused by the solution; another
   * death, and a worker that never gets ready, by the harness.
   */
  #died(worker: Worker, error: NodeJS.ErrnoException): void {
    if (worker !== this.#worker) return
    const wasReady = this.#ready
    const job = this.#current
    void this.#stop()
    if (job) this.#bury(job, error)
    if (!wasReady && this.#starts >= START_LIMITS_MS.length) this.#failAll(error)
    else this.#end(true)
  }

  #bury(job: Job, error: NodeJS.ErrnoException): void {
    clearTimeout(job.timer)
    job.deaths += 1
    const message = `The type check ended early: ${error.message}`
    if (job.deaths < MAX_DEATHS) this.#waiting.unshift(job)
    else if (error.code === OUT_OF_MEMORY) this.#refuse(job, message)
    else job.reject(new Error(message))
  }

  /** Only those waiting now: later ones get a new worker. */
  #failAll(error: Error): void {
    const jobs = [...(this.#current ? [this.#current] : []), ...this.#waiting]
    this.#current = null
    this.#waiting.length = 0
    for (const job of jobs) {
      clearTimeout(job.timer)
      job.reject(error)
    }
  }
}

const toReport = (diagnostics: TypesReport['diagnostics'], startedAt: number): TypesReport => ({
  ok: diagnostics.length === 0,
  diagnostics,
  durationMs: performance.now() - startedAt,
  timedOut: false,
})

const LATE = 'the type-check worker did not start'

function requestOf(job: Job): WorkerRequest {
  const { id } = job
  return job.ask === 'types'
    ? { id, ask: job.ask, input: job.input }
    : { id, ask: job.ask, files: job.files }
}
