import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { createHistory, type HistoryOptions } from '../undo-history.ts'

type State = unknown
type History = {
  state: State
  canUndo: boolean
  canRedo: boolean
  do(name: string, payload?: unknown): State
  undo(): boolean
  redo(): boolean
  group<Result>(work: () => Result): Result
}
type Commands = Record<string, (state: State, payload?: unknown) => State>

// Commands are called by chance here, so the types that are inferred from them are left aside.
const create = createHistory as unknown as (
  initial: State,
  commands: Commands,
  options?: HistoryOptions,
) => History

const failure = new Error('from a command')

const commands: Commands = {
  set: (_state, payload) => payload,
  wrap: (state, payload) => [state, payload].slice(-2),
  fresh: () => [],
  keep: (state) => state,
  toString: () => 'text',
  fail: () => {
    throw failure
  },
}

/** Random actions, merged or not, in groups or not, and the way back and forth. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 36; round++) useHistory(context)
  countSteps(context)
  refuseLimits(context)
}

function useHistory(context: ScenarioContext): void {
  const { random, record } = context
  let time = random.int(0, 10_000)
  const asked: unknown[] = []
  const options = { ...someOptions(random, asked), now: () => time }
  const history = create(random.pick<State>([0, '', [], null, Number.NaN]), commands, options)
  const seen: State[] = []
  const show = () => [idOf(seen, history.state), history.canUndo, history.canRedo]
  record('created', show())
  for (let step = 0; step < 22; step++) {
    const window = options.mergeWithinMs ?? 1000
    time += random.pick([0, 1, window, window, window + 1, random.int(0, window)])
    act(context, history, show)
    record('now', [...show(), ...asked.splice(0)])
  }
  while (history.undo()) record('back', show())
  while (history.redo()) record('forth', show())
}

function someOptions(random: Random, asked: unknown[]): HistoryOptions {
  const within = random.pick([undefined, undefined, 0, 5, 300])
  const keys = random.pick([['a'], ['a', undefined], ['a', 'b', undefined], ['', 'a']])
  const mergeKey = (name: string, payload: unknown) => {
    asked.push([name, payload])
    return random.pick(keys)
  }
  return {
    ...(random.chance(0.5) && { limit: random.int(1, 5) }),
    ...(within !== undefined && { mergeWithinMs: within }),
    ...(random.chance(0.85) && { mergeKey }),
  }
}

function act(context: ScenarioContext, history: History, show: () => unknown): void {
  const { random, attempt } = context
  const roll = random.int(0, 9)
  if (roll < 5) doOne(context, history)
  else if (roll < 7) attempt('undo', () => history.undo())
  else if (roll < 8) attempt('redo', () => history.redo())
  else runGroup(context, history, show, 0)
}

function doOne({ random, attempt }: ScenarioContext, history: History): void {
  const name = random.pick([
    'set',
    'set',
    'set',
    'wrap',
    'wrap',
    'fresh',
    'keep',
    'toString',
    'fail',
  ])
  const payload = random.pick<unknown>([random.int(0, 3), -0, Number.NaN, 'x', undefined])
  const takes = name === 'set' || name === 'wrap'
  const run = () => (takes ? history.do(name, payload) : history.do(name))
  attempt(
    `do ${name}`,
    () => Object.is(run(), history.state),
    (error) => error === failure,
  )
}

/** Groups in groups, some of which fail or end where they began. */
function runGroup(
  context: ScenarioContext,
  history: History,
  show: () => unknown,
  depth: number,
): void {
  const { random, record, attempt } = context
  const fails = random.chance(0.25)
  const before = history.state
  const result = { depth }
  const work = () => {
    for (let left = random.int(0, 3); left > 0; left--) {
      if (depth < 2 && random.chance(0.3)) runGroup(context, history, show, depth + 1)
      else doOne(context, history)
      record('inside', show())
    }
    if (random.chance(0.2)) attempt('undo inside', () => history.undo(), isError)
    if (random.chance(0.2)) attempt('redo inside', () => history.redo(), isError)
    if (random.chance(0.2)) attempt('set back', () => Object.is(history.do('set', before), before))
    if (fails) throw failure
    return result
  }
  const run = () => history.group(work) === result
  attempt(`group ${depth}`, run, (error) => error === failure)
}

/** How many steps there are when no limit is given, one more or one less than that. */
function countSteps({ random, record }: ScenarioContext): void {
  for (const limit of [undefined, random.int(1, 12)]) {
    const history = create(-1, commands, limit === undefined ? undefined : { limit })
    const actions = random.int(99, 104)
    for (let number = 0; number < actions; number++) history.do('set', number)
    let steps = 0
    while (history.undo()) steps++
    record('steps', [actions, steps, history.state, history.canUndo, history.canRedo])
    history.redo()
    record('redone', [history.state, history.canUndo, history.canRedo])
  }
}

function refuseLimits({ random, attempt }: ScenarioContext): void {
  const bad = [0, -random.int(1, 9), random.int(1, 9) + 0.5, Number.NaN, Number.POSITIVE_INFINITY]
  for (const limit of random.shuffle([...bad, 1])) {
    const run = () => create(0, commands, { limit }).canUndo
    attempt(`limit ${limit}`, run, (error) => error instanceof RangeError)
  }
}

/** The same number for the very same state. */
function idOf(seen: State[], state: State): number {
  const known = seen.findIndex((other) => Object.is(other, state))
  return known >= 0 ? known : seen.push(state) - 1
}

function isError(error: unknown): boolean {
  return error instanceof Error
}
