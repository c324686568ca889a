import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { createMachine } from '../state-machine.ts'

type Event = { type: string; n: number }
type Result = { ok: boolean; state: string; context?: unknown; reason?: string }
type Machine = {
  state: string
  context: unknown
  send(event: Event): Result
  can(event: Event): boolean
}
type Hook = (place: string, context: unknown, event?: Event) => void

// Machines are made at random here, so the types that are inferred from a definition are left aside.
const create = createMachine as unknown as () => (definition: unknown) => Machine

const STATES = ['idle', 'running', 'done', 'toString', 'a b', '0']
const EVENTS = ['start', 'stop', 'é😀', '', 'constructor', 'toString', '__proto__', 'valueOf']

/** Random machines that write down every call, what they show during it and what they refuse. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 28; round++) runMachine(context)
}

function runMachine({ random, record, attempt }: ScenarioContext): void {
  const log: unknown[] = []
  let machine: Machine | undefined
  let mode: 'send' | 'can' = 'send'
  let depth = 0
  let failsIn = 0
  const failure = new Error('from an action')
  const types = random.shuffle(EVENTS).slice(0, random.int(2, 5))
  const someEvent = (): Event => ({ type: random.pick(types), n: random.int(0, 5) })

  const hook: Hook = (place, context, event) => {
    const isSame = machine && Object.is(machine.context, context)
    log.push([place, context, event, machine?.state, isSame])
    if (machine && depth === 0 && random.chance(0.3)) {
      depth++
      const inner = mode === 'can' ? { type: 'unknown to all', n: 0 } : someEvent()
      log.push(['inside', machine.send(inner), machine.can(inner)])
      depth--
    }
    if (mode === 'send' && --failsIn === 0) throw failure
  }

  const definition = someDefinition(random, types, hook)
  const machines = random.list(1, 2, () => create()(definition))
  record('created', log.splice(0))
  for (let step = 0; step < 14; step++) {
    const driven = random.pick(machines)
    machine = driven
    const before = driven.context
    const event = random.chance(0.1) ? { type: random.pick(EVENTS), n: 1 } : someEvent()
    mode = 'can'
    if (random.chance(0.4)) attempt(`can ${event.type}`, () => driven.can(event))
    mode = 'send'
    failsIn = random.chance(0.2) ? random.int(1, 4) : 0
    const result = attempt(
      `send ${event.type}`,
      () => driven.send(event),
      (e) => e === failure,
    )
    if (result?.ok) record('its context', Object.is(result.context, driven.context))
    record('log', log.splice(0))
    record('now', [driven.state, driven.context, Object.is(before, driven.context)])
    failsIn = 0
  }
  record(
    'all',
    machines.map(({ state, context }) => [state, context]),
  )
}

function someDefinition(random: Random, types: readonly string[], hook: Hook) {
  const names = random.shuffle(STATES).slice(0, random.int(1, 4))
  const states = names.map((name) => {
    const handled = types.filter(() => random.chance(0.75))
    const on = fromEntries(handled.map((type) => [type, someHandlers(random, names, type, hook)]))
    const state = {
      ...(random.chance(0.7) && { entry: (context: unknown) => hook(`enter ${name}`, context) }),
      ...(random.chance(0.7) && { exit: (context: unknown) => hook(`leave ${name}`, context) }),
      ...(random.chance(0.9) && { on }),
    }
    return [name, state] as [string, unknown]
  })
  const context = random.pick<unknown>([{ n: 0 }, { n: 1 }, 0, null, 'text'])
  return { initial: random.pick(names), context, states: fromEntries(states) }
}

function someHandlers(random: Random, names: string[], type: string, hook: Hook): unknown {
  const make = (index: number) => someTransition(random, names, `${type} ${index}`, hook)
  return random.chance(0.4) ? make(0) : random.list(0, 3, make)
}

function someTransition(random: Random, names: string[], label: string, hook: Hook) {
  const divisor = random.int(2, 4)
  const remainder = random.int(0, divisor - 1)
  const isObject = random.chance(0.6)
  const falsy = random.pick([0, null, '', false])
  return {
    ...(random.chance(0.65) && { to: random.pick(names) }),
    ...(random.chance(0.6) && {
      when: (context: unknown, event: Event) => {
        hook(`when ${label}`, context, event)
        return (event.n + numberOf(context)) % divisor === remainder
      },
    }),
    ...(random.chance(0.5) && {
      update: (context: unknown, event: Event) => {
        hook(`update ${label}`, context, event)
        return isObject ? { n: (numberOf(context) + event.n) % 100 } : falsy
      },
    }),
  }
}

function numberOf(context: unknown): number {
  return typeof context === 'object' && context !== null ? (context as { n: number }).n : 1
}

/** Own properties, whatever their names. */
function fromEntries(entries: readonly [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries)
}
