import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { type AddOptions, AsyncQueue } from '../async-queue.ts'

const PRIORITIES = [undefined, 0, 0, 1, 1, -1, 0.5, -0.25, 7, Infinity, -Infinity]

interface Job {
  readonly name: string
  started: boolean
  ended: boolean
  signal?: AbortSignal
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** A queue, and jobs that run until the scenario ends them. */
class Desk {
  readonly queue: AsyncQueue
  readonly jobs: Job[] = []
  readonly events: string[] = []
  readonly outcomes = new Map<string, unknown>()
  readonly waiters: { name: string; done: boolean }[] = []
  /** While several slots may become free at once, the counts in between are not promised. */
  counts = true
  readonly random: Random

  constructor(random: Random, concurrency: number) {
    this.random = random
    this.queue = new AsyncQueue({ concurrency })
  }

  /** `body` runs when the job starts, and gives what the task returns. */
  add(options: AddOptions | undefined, body: (job: Job, work: Promise<unknown>) => unknown): Job {
    let resolve: (value: unknown) => void = () => {}
    let reject: (reason: unknown) => void = () => {}
    const work = new Promise<unknown>((...settle) => {
      ;[resolve, reject] = settle
    })
    const name = `${this.jobs.length}`
    const job: Job = { name, started: false, ended: false, resolve, reject }
    this.jobs.push(job)
    const task = (signal: AbortSignal): unknown => {
      job.started = true
      job.signal = signal
      const counts = this.counts ? ` ${this.queue.waiting}/${this.queue.running}` : ''
      this.events.push(`${name} starts${counts}`)
      return body(job, work)
    }
    const added = options ? this.queue.add(task, options) : this.queue.add(task)
    added.then(
      (value) => this.outcomes.set(name, { value }),
      (reason) => this.outcomes.set(name, { reason }),
    )
    return job
  }

  wait(kind: 'whenDrained' | 'whenIdle'): void {
    const waiter = { name: `${kind} ${this.waiters.length}`, done: false }
    this.waiters.push(waiter)
    this.queue[kind]().then((value) => (waiter.done = value === undefined))
  }

  running(): Job[] {
    return this.jobs.filter((job) => job.started && !job.ended)
  }

  end(job: Job): void {
    job.ended = true
    if (this.random.chance(0.3)) job.reject(`error of ${job.name} ${this.random.int(0, 99)}`)
    else job.resolve(`value of ${job.name} ${this.random.int(0, 99)}`)
  }

  look(): unknown {
    const signals = this.running().map(({ name, signal }) => [
      name,
      signal instanceof AbortSignal,
      signal?.aborted,
      signal?.aborted ? signal.reason : null,
    ])
    return [this.events.splice(0), this.queue.waiting, this.queue.running, signals]
  }

  settled(): unknown {
    const open = this.waiters.filter(({ done }) => !done).map(({ name }) => name)
    const outcomes = this.jobs.filter(({ name }) => this.outcomes.has(name))
    const fresh = outcomes.map(({ name }) => [name, this.outcomes.get(name)])
    this.outcomes.clear()
    return [fresh, open]
  }
}

/** Random jobs are added, ended and cancelled, one at a time. */
export const scenario: Scenario = async (context) => {
  const { random, attempt } = context
  for (let round = 0; round < 8; round++) await play(context, random.int(1, 3))
  await failAtOnce(context)
  await cancelMany(context)
  for (const concurrency of [0, -random.int(1, 9), random.int(1, 9) + 0.5, NaN, Infinity]) {
    const isRangeError = (error: unknown) => error instanceof RangeError
    attempt(
      `concurrency ${concurrency}`,
      () => new AsyncQueue({ concurrency }).running,
      isRangeError,
    )
  }
}

async function play(context: ScenarioContext, concurrency: number): Promise<void> {
  const { random, record, flush } = context
  const desk = new Desk(random, concurrency)
  const controllers = random.list(2, 3, () => new AbortController())
  const options = (): AddOptions | undefined => {
    const priority = random.pick(PRIORITIES)
    const signal = random.chance(0.5) ? random.pick(controllers).signal : undefined
    if (priority === undefined && !signal) return random.chance(0.5) ? {} : undefined
    return { ...(priority !== undefined && { priority }), ...(signal && { signal }) }
  }
  const look = async (label: string): Promise<void> => {
    record(label, desk.look())
    await flush()
    record('then', [desk.look(), desk.settled()])
  }
  for (let step = 0; step < 26; step++) {
    const running = desk.running()
    if (random.chance(0.25)) desk.wait(random.pick(['whenDrained', 'whenIdle']))
    if (random.chance(0.2)) {
      const index = random.int(0, controllers.length - 1)
      desk.counts = false
      controllers[index]?.abort(`reason ${step} ${random.int(0, 99)}`)
      await look('abort')
      desk.counts = true
      if (random.chance(0.7)) controllers[index] = new AbortController()
    } else if (running.length > 0 && random.chance(0.4)) {
      desk.end(random.pick(running))
      await flush()
      await look('end')
    } else {
      addOne(desk, options())
      await look('add')
    }
  }
  for (let rest = 0; rest < 100 && desk.running().length > 0; rest++) {
    desk.end(random.pick(desk.running()))
    await flush()
    await look('end')
  }
}

/** A job that goes on until it is ended, or stops by itself when it is told to. */
function addOne(desk: Desk, options: AddOptions | undefined): void {
  const stops = desk.random.chance(0.3)
  const thenable = desk.random.chance(0.2)
  desk.add(options, (job, work) => {
    const stop = (): void => {
      job.ended = true
      job.reject('stopped')
    }
    if (stops) job.signal?.addEventListener('abort', stop)
    return thenable ? { then: work.then.bind(work) } : work
  })
}

/** Jobs that return plain values, throw at once or add more jobs, all through one slot. */
async function failAtOnce({ random, record, flush }: ScenarioContext): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const blockers = random.int(0, 2)
    const desk = new Desk(random, blockers + 1)
    const atOnce = (job: Job): unknown => {
      job.ended = true
      const text = `${job.name} ${random.int(0, 99)}`
      if (random.chance(0.4)) throw text
      return random.pick([text, undefined, 0, null])
    }
    desk.add(undefined, atOnce)
    await flush()
    record('alone', [desk.look(), desk.settled()])
    for (let index = 0; index < blockers; index++) desk.add(undefined, (_job, work) => work)
    desk.add({}, (job, work) => {
      for (const priority of random.list(2, 6, () => random.int(-2, 2))) {
        desk.add({ priority }, random.chance(0.6) ? atOnce : (_inner, later) => later)
      }
      desk.events.push(`${job.name} has added`)
      return work
    })
    desk.wait('whenIdle')
    for (let step = 0; step < 9; step++) {
      await flush()
      record('more', [desk.look(), desk.settled()])
      const next = desk.running().at(-1)
      if (next) desk.end(next)
    }
  }
}

/** One signal cancels all that waits, or all but one. */
async function cancelMany({ random, record, flush }: ScenarioContext): Promise<void> {
  for (let round = 0; round < 4; round++) {
    const concurrency = random.int(1, 3)
    const desk = new Desk(random, concurrency)
    const controller = new AbortController()
    const { signal } = controller
    for (let index = 0; index < concurrency; index++) {
      desk.add(random.chance(0.4) ? { signal } : {}, (_job, work) => work)
    }
    const waiting = random.list(1, 4, () => ({ signal, priority: random.int(0, 2) }))
    for (const options of waiting) desk.add(options, (_job, work) => work)
    if (round === 0) desk.add({ priority: random.int(0, 2) }, (_job, work) => work)
    desk.wait('whenDrained')
    desk.wait('whenIdle')
    controller.abort(random.int(0, 999))
    record('cancelled', desk.look())
    await flush()
    record('then', [desk.look(), desk.settled()])
  }
}
