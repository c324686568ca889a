import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { BatchLoader } from '../batch-loader.ts'

type Loader = BatchLoader<unknown, unknown>
type Call = {
  keys: unknown[]
  answer: (answers: readonly unknown[]) => void
  refuse: (reason: unknown) => void
}

const NAMES = ['a', 'b', '__proto__', 'constructor', '', '1', 1, 0, Number.NaN, null, true]
const STEPS =
  'load load loadMany prime clear clearAll forget renew renew renew flush flush flush answer answer answer answer'

/** A source whose answers are in the hands of the scenario, and all promises handed out. */
class Desk {
  readonly calls: Call[] = []
  readonly flushes: (() => void)[] = []
  readonly promises: Promise<unknown>[] = []
  readonly outcomes = new Map<number, unknown>()
  readonly errors = new Set<unknown>()
  readonly random: Random
  scheduled = 0
  inBatch: () => void = () => {}

  constructor(random: Random) {
    this.random = random
  }

  batch = (given: readonly unknown[]): Promise<readonly unknown[]> => {
    const keys = [...given]
    if (this.random.chance(0.3)) (given as unknown[]).reverse().pop()
    this.inBatch()
    return new Promise((answer, refuse) => {
      this.calls.push({ keys, answer, refuse })
    })
  }

  schedule = (flush: () => void): void => {
    this.scheduled++
    this.flushes.push(flush)
  }

  error(text: string): Error {
    const error = new Error(`${text} ${this.random.int(0, 99)}`)
    this.errors.add(error)
    return error
  }

  describe = (value: unknown): unknown => {
    if (value instanceof TypeError) return 'TypeError'
    return value instanceof Error ? [value.message, this.errors.has(value)] : value
  }

  follow(promise: Promise<unknown>): Promise<unknown> {
    if (this.promises.includes(promise)) return promise
    const index = this.promises.push(promise) - 1
    promise.then(
      (value) => this.outcomes.set(index, { value }),
      (reason) => this.outcomes.set(index, { reason: this.describe(reason) }),
    )
    return promise
  }

  /** Everything that has happened since the last time, in the order of the loads. */
  look(): unknown {
    const fresh = [...this.outcomes].sort(([a], [b]) => a - b)
    this.outcomes.clear()
    return [this.scheduled, this.calls.map(({ keys }) => keys), fresh]
  }

  /** Answers an open call: per key, wrongly, or not at all. */
  answerOne(): void {
    const { random } = this
    const call = this.calls.splice(random.int(0, this.calls.length - 1), 1)[0]
    if (!call) return
    const answers = call.keys.map((_key, index) => {
      if (random.chance(0.3)) return this.error(`for ${index}`)
      return random.chance(0.2) ? random.pick([undefined, null]) : `${index} ${random.int(0, 99)}`
    })
    const wrong: unknown[] = [answers.slice(1), [...answers, 1], null, undefined, 'ab']
    if (random.chance(0.4)) call.answer(answers)
    else if (random.chance(0.5)) call.refuse(this.error('refused'))
    else call.answer(random.pick([...wrong, { length: answers.length }]) as unknown[])
  }
}

/** Random loads, clears, primes and answers under a schedule and a source that are held back. */
export const scenario: Scenario = async (context) => {
  const { random, attempt } = context
  for (let round = 0; round < 11; round++) await play(context, round % 2 === 0)
  for (let round = 0; round < 3; round++) await playInMicrotask(context)
  const isRangeError = (error: unknown) => error instanceof RangeError
  for (const maxBatchSize of [0, -random.int(1, 5), random.int(1, 5) + 0.5, Number.NaN]) {
    const create = () => typeof new BatchLoader(async () => [], { maxBatchSize })
    attempt(`maxBatchSize ${maxBatchSize}`, create, isRangeError)
  }
}

async function play(context: ScenarioContext, throws: boolean): Promise<void> {
  const { random, record, flush } = context
  const desk = new Desk(random)
  const byId = random.chance(0.4)
  const names = random.shuffle(NAMES).slice(0, random.int(2, 6))
  const loader: Loader = new BatchLoader<unknown, unknown>(desk.batch, {
    schedule: desk.schedule,
    ...(random.chance(0.7) && { maxBatchSize: random.int(1, 4) }),
    ...(byId && { cacheKey: (key: unknown) => (key as { id: unknown }).id }),
  })
  const keyOf = (name: unknown): unknown => (byId ? { id: name } : name)
  /** What may be in the queue: clearing and loading that again is left out. */
  const queued = new Set<unknown>()
  const notQueued = (list: unknown[]): unknown[] => list.filter((name) => !queued.has(name))
  const load = (name: unknown): Promise<unknown> => {
    queued.add(name)
    return desk.follow(loader.load(keyOf(name)))
  }
  const runFlush = (): void => {
    queued.clear()
    desk.flushes.shift()?.()
  }
  desk.inBatch = () => {
    if (!throws && random.chance(0.3)) load(random.pick(names))
    if (throws && random.chance(0.15)) throw desk.error('thrown')
  }
  const steps: Record<string, () => unknown> = {
    load: () => [load(random.pick(names)) === load(random.pick(names))],
    loadMany: () => {
      const wanted = random.list(0, 5, () => random.pick(names))
      for (const name of wanted) queued.add(name)
      const many = loader.loadMany(wanted.map(keyOf))
      desk.follow(many.then((all) => all.map(desk.describe)))
    },
    prime: () => {
      const name = random.pick(names)
      const value = random.chance(0.4) ? desk.error('primed') : random.int(0, 99)
      return [loader.prime(keyOf(name), value) === loader, load(name) === load(name)]
    },
    clear: () => {
      const name = random.pick(notQueued([...names, 'none']))
      return loader.clear(keyOf(name)) === loader
    },
    clearAll: () => queued.size > 0 || loader.clearAll() === loader,
    /** Forgets what is still queued; its promises wait for the batch all the same. */
    forget: () => {
      if (random.chance(0.5)) loader.clearAll()
      else for (const name of queued) loader.clear(keyOf(name))
      runFlush()
    },
    /** Asks anew for something that a batch is just being asked for. */
    renew: () => {
      const open = desk.calls.flatMap(({ keys }) => keys)
      const asked = names.filter((name) => open.some((key) => sameName(key, name, byId)))
      const free = notQueued(asked)
      if (free.length === 0) return
      const name = random.pick(free)
      loader.clear(keyOf(name))
      return random.chance(0.5) ? steps.prime?.() : load(name) === load(name)
    },
    flush: runFlush,
    answer: () => desk.answerOne(),
  }
  const look = async (label: string, value: unknown): Promise<void> => {
    const before = desk.look()
    await flush()
    record(label, [value, before, desk.look()])
  }
  for (let step = 0; step < 46; step++) {
    const name = random.pick(STEPS.split(' '))
    await look(name, steps[name]?.())
  }
  desk.inBatch = () => {}
  for (let rest = 0; rest < 60 && desk.flushes.length + desk.calls.length > 0; rest++) {
    await look('rest', desk.flushes.length > 0 ? runFlush() : desk.answerOne())
  }
}

function sameName(key: unknown, name: unknown, byId: boolean): boolean {
  return Object.is(byId ? (key as { id: unknown }).id : key, name)
}

/** Without a schedule the batch is asked once the caller has come to an end. */
async function playInMicrotask({ random, record, flush }: ScenarioContext): Promise<void> {
  const desk = new Desk(random)
  const loader: Loader = new BatchLoader<unknown, unknown>(desk.batch)
  for (let step = 0; step < 4; step++) {
    for (const key of random.list(1, 9, () => random.int(0, 12))) desk.follow(loader.load(key))
    record('asked', desk.look())
    await flush()
    record('scheduled', desk.look())
    if (random.chance(0.2)) desk.calls.shift()?.refuse(random.pick([undefined, 'text', step]))
    else desk.answerOne()
    await flush()
    record('answered', desk.look())
  }
}
