import type { Scenario, ScenarioContext } from '../../../held-out.ts'
import { TypedEventEmitter } from '../typed-event-emitter.ts'

type Args = unknown[]
type Occurrence = { event: string; args: Args }

const NAMES = ['message', 'closed', '', 'constructor', '__proto__', 'toString', 'é😀', 'off']

/** Listeners that come and go, emit again and throw while an event is being emitted. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 45; round++) useEmitter(context)
}

function useEmitter({ random, record, attempt }: ScenarioContext): void {
  const emitter = new TypedEventEmitter<Record<string, Args>>()
  const names = random.shuffle(NAMES).slice(0, random.int(1, 3))
  const log: unknown[] = []
  const removers: (() => void)[] = []
  const liveliness = random.pick([0, 0.2, 0.45])
  let depth = 0
  let calls = 0

  const act = (name: string, args: unknown): void => {
    log.push([name, args])
    if (++calls > 400) return
    if (random.chance(liveliness)) changeRegistrations()
    if (depth < 3 && random.chance(liveliness / 2)) emitOne()
    if (random.chance(liveliness / 2))
      throw random.pick(['text', undefined, null, 7, new Error(name)])
  }
  const listeners = random.list(
    2,
    4,
    (id) =>
      (...args: Args) =>
        act(`listener ${id}`, args),
  )
  const anyListeners = random.list(1, 2, (id) => ({ event, args }: Occurrence) => {
    act(`any ${id}`, { event, args })
  })

  const changeRegistrations = (): void => {
    const event = random.pick(names)
    const listener = random.pick(listeners)
    const what = random.pick(['on', 'on', 'once', 'onAny', 'off', 'remove', 'remove'] as const)
    if (what === 'off') log.push(['off', emitter.off(event, listener)])
    else if (what === 'onAny') removers.push(emitter.onAny(random.pick(anyListeners)))
    else if (what !== 'remove') removers.push(emitter[what](event, listener))
    else if (removers.length > 0) random.pick(removers)()
    log.push(names.map((name) => emitter.listenerCount(name)))
  }
  const emitOne = (): void => {
    const event = random.pick(names)
    const args = random.list(0, 3, () => random.pick([random.int(0, 99), 'x', null, { n: 1 }]))
    depth++
    try {
      attempt(`emit ${event}`, () => emitter.emit(event, ...args), describe)
    } finally {
      depth--
    }
    log.push('emitted')
  }

  const others = new TypedEventEmitter<Record<string, Args>>()
  for (let step = 0; step < 12; step++) {
    if (random.chance(0.7)) changeRegistrations()
    else emitOne()
    record('log', log.splice(0))
  }
  emitOne()
  record('log', log.splice(0))
  record(
    'another emitter',
    names.map((name) => [others.listenerCount(name), others.emit(name)]),
  )
}

/** What was thrown, and for several errors what they were. */
function describe(error: unknown): unknown {
  if (error instanceof AggregateError) return ['several', error.errors.map(describe)]
  return error instanceof Error ? ['error', error.message] : ['thrown', error]
}
