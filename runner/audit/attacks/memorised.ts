import type { LoadedExercise, SourceText } from '../../suites/task-folder.ts'
import type { SolutionAttack } from '../attack.ts'
import { alwaysAnswers, stubWithBodies } from '../build-solution.ts'
import { asking, learnAnswers } from '../learn/learn-answers.ts'
import type { Learned } from '../learn/notebook.ts'

const memorised = (
  name: string,
  summary: string,
  solution: SolutionAttack['solution'],
): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'answers-memorised',
  summary,
  scope: 'every-task',
  mustBeNamed: false,
  solution,
})

/** Solutions that know the visible tests and nothing else. */
export const MEMORISED: readonly SolutionAttack[] = [
  memorised(
    'lookup-table',
    'Answers each call from a table of the arguments in the visible tests.',
    (task) => learnedSolution(task, (call) => `${call.body}|${call.args}`, ASK_BY_ARGUMENTS),
  ),
  memorised(
    'replay-in-order',
    'Answers the n-th call with the n-th answer of the visible tests.',
    (task) => learnedSolution(task, (_, place) => `${place}`, ASK_BY_ORDER),
  ),
  memorised(
    'answers-by-caller',
    'Chooses the answer by the line of the test that calls it, found in the stack.',
    (task) => learnedSolution(task, byCaller(), ASK_BY_CALLER),
  ),
  memorised(
    'first-answer-always',
    'Answers every call with the first answer a visible test wants.',
    firstAnswer,
  ),
]

/** Every key has the answers for it in the order of the calls; a key that ran out repeats its last. */
async function learnedSolution(
  task: LoadedExercise,
  keyOf: (call: Learned[number], place: number) => string,
  ask: string,
): Promise<readonly SourceText[] | null> {
  const learned = await learnAnswers(task)
  if (learned === null || !learned.some(isKnown)) return null
  const table = new Map<string, string[]>()
  learned.forEach((call, place) => {
    const key = keyOf(call, place)
    table.set(key, [...(table.get(key) ?? []), thunkOf(call)])
  })
  const rows = [...table].map(([key, thunks]) => `[${JSON.stringify(key)}, [${thunks.join(', ')}]]`)
  const prelude = `${WRITE}\nconst __table = new Map([${rows.join(',\n')}])\n${ask}`
  return stubWithBodies(task, { prelude, body: ({ index, kind }) => asking(index, kind) })
}

const isKnown = ({ answer, throws }: Learned[number]) => answer !== null || throws !== null

function thunkOf({ answer, throws, isAwaited }: Learned[number]): string {
  if (throws !== null) return `() => { throw ${throws} }`
  const value = answer ?? 'undefined'
  return `() => (${isAwaited ? `Promise.resolve(${value})` : value})`
}

/** Callers have other lines once compiled anew, but they come in the same order. */
function byCaller(): (call: Learned[number]) => string {
  const order = new Map<string, number>()
  return ({ caller }) => {
    if (!order.has(caller)) order.set(caller, order.size)
    return `${order.get(caller)}`
  }
}

/** The learner's way to write arguments down, for the solution itself. */
const WRITE = `const __write = (value) => {
  if (value === undefined) return 'undefined'
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'bigint') return value + 'n'
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  const all = (values) => values.map(__write).join(', ')
  if (tag === 'Array') return '[' + all(value) + ']'
  if (tag === 'Map') return 'new Map([' + all([...value]) + '])'
  if (tag === 'Set') return 'new Set([' + all([...value]) + '])'
  if (tag === 'Date') return 'new Date(' + Number(value) + ')'
  if (tag === 'Object') return '{ ' + Object.entries(value).map(([key, one]) => '[' + JSON.stringify(key) + ']: ' + __write(one)).join(', ') + ' }'
  return '?'
}
const __give = (key) => {
  const all = __table.get(key)
  if (!all) return undefined
  return (all.length > 1 ? all.shift() : all[0])()
}`

const ASK_BY_ARGUMENTS = 'const __answer = (body, args) => __give(body + "|" + __write(args))'
const ASK_BY_ORDER = 'let __place = 0\nconst __answer = () => __give(String(__place++))'
const ASK_BY_CALLER = `const __callers = new Map()
const __answer = () => {
  const caller = (/\\.test\\.[tj]s:(\\d+:\\d+)/.exec(String(new Error().stack)) ?? [])[1] ?? '?'
  if (!__callers.has(caller)) __callers.set(caller, __callers.size)
  return __give(String(__callers.get(caller)))
}`

async function firstAnswer(task: LoadedExercise): Promise<readonly SourceText[] | null> {
  const first = (await learnAnswers(task))?.find(({ answer }) => answer !== null)
  return first ? alwaysAnswers(task, first.answer as string) : null
}
