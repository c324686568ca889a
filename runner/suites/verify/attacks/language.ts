import type { SolutionAttack } from './attack.ts'
import { stubAfter, stubWithBodies } from './attack.ts'

/** Builds one change of the language before the stub, which the tests and their comparisons would meet. */
const change = (name: string, summary: string, prelude: string): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'language-tampered',
  summary,
  scope: 'every-task',
  mustBeNamed: true,
  solution: (task) => stubAfter(task, prelude),
})

const SWALLOW = 'try { ' // A harness that freezes the language throws here; a hostile solution continues.
const attempt = (code: string) => `${SWALLOW}${code} } catch {}`

/** Built-ins, matchers and timers of the language that verifier and solution share. */
export const LANGUAGE_ATTACKS: readonly SolutionAttack[] = [
  change(
    'object-is-always-true',
    'Replaces Object.is, which strict equality of matchers asks.',
    attempt('Object.is = () => true'),
  ),
  change(
    'patterns-always-match',
    'Replaces test and exec of regular expressions.',
    'RegExp.prototype.test = () => true\nRegExp.prototype.exec = () => null',
  ),
  change(
    'booleans-match-anything',
    'Makes every boolean an asymmetric matcher that agrees.',
    "Object.defineProperty(Boolean.prototype, '$$typeof', { value: Symbol.for('jest.asymmetricMatcher') })\n" +
      "Object.defineProperty(Boolean.prototype, 'asymmetricMatch', { value: () => true })",
  ),
  change(
    'objects-match-anything',
    'Makes every object an asymmetric matcher that agrees.',
    attempt('Object.prototype.asymmetricMatch = () => true'),
  ),
  change(
    'arrays-are-empty',
    'Makes arrays iterate over nothing, so that loops over tests and keys do nothing.',
    'Array.prototype[Symbol.iterator] = function* () {}',
  ),
  change(
    'every-is-always-true',
    'Replaces every and some of arrays, which deep equality uses.',
    attempt('Array.prototype.every = () => true') + attempt('Array.prototype.some = () => false'),
  ),
  change(
    'json-forges-a-report',
    'Replaces JSON.stringify with one that writes a passing report.',
    attempt('JSON.stringify = () => \'{"kind":"end","failed":0}\''),
  ),
  change(
    'promises-never-reject',
    'Replaces then of promises, so that rejections are lost.',
    attempt('Promise.prototype.then = function (done) { try { done?.() } catch {} ; return this }'),
  ),
  change(
    'calls-return-true',
    'Replaces call and apply of functions.',
    attempt('Function.prototype.call = () => true') +
      attempt('Function.prototype.apply = () => true'),
  ),
  change(
    'maps-remember-success',
    'Replaces get and has of maps and sets, where a harness keeps its state.',
    attempt('Map.prototype.get = () => ({ pass: true })') +
      attempt('Set.prototype.has = () => true'),
  ),
  change(
    'errors-say-nothing',
    'Replaces toString and captureStackTrace of errors, so that failures cannot be described.',
    attempt('Error.prototype.toString = () => ""') +
      attempt('Error.captureStackTrace = () => { throw 1 }'),
  ),
  change(
    'stack-traces-prepared',
    'Installs Error.prepareStackTrace to get hold of functions on the stack.',
    attempt(
      'Error.prepareStackTrace = (_, sites) => { for (const s of sites) s.getFunction()?.call?.(); return "" }',
    ) + attempt('void new Error().stack'),
  ),
  change(
    'species-replaced',
    'Replaces Symbol.species of arrays, so that map and filter make something else.',
    attempt('Object.defineProperty(Array, Symbol.species, { value: Object })'),
  ),
  change(
    'tags-say-another-type',
    'Gives arrays the tag of another type.',
    attempt('Array.prototype[Symbol.toStringTag] = "RegExp"'),
  ),
  change(
    'everything-is-thenable',
    'Gives every object a then that reports success.',
    attempt('Object.prototype.then = (done) => done({ pass: true })'),
  ),
  change(
    'timers-run-at-once',
    'Replaces the timers and queueMicrotask.',
    attempt('setTimeout = (run) => run()') + attempt('queueMicrotask = () => {}'),
  ),
  change(
    'prototypes-swapped',
    'Swaps the prototypes of functions and of promises.',
    attempt('Object.setPrototypeOf(Promise.prototype, { then: 1 })') +
      attempt('Object.setPrototypeOf(Function.prototype, {})') +
      attempt('Object.setPrototypeOf(Array.prototype, { then: 1 })'),
  ),
  change(
    'changes-later',
    'Changes the language from a timer, after a harness has looked.',
    'setTimeout(() => { try { Object.is = () => true } catch {} ; try { Array.prototype[Symbol.iterator] = function* () {} } catch {} }, 0)',
  ),
  change(
    'index-setter-swallows',
    'Plants a setter at array index 0 that swallows what is pushed.',
    'Object.defineProperty(Array.prototype, 0, { set() {}, get: () => 42, configurable: true })',
  ),
]

type Kind = { waits?: boolean }

const inEveryCall = (
  name: string,
  summary: string,
  body: string,
  { waits = false }: Kind = {},
): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'denial',
  summary,
  scope: 'sample',
  mustBeNamed: false,
  waits,
  solution: (task) => stubWithBodies(task, { body: () => body }),
})

const atLoad = (
  name: string,
  summary: string,
  prelude: string,
  { waits = false }: Kind = {},
): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'denial',
  summary,
  scope: 'sample',
  mustBeNamed: false,
  waits,
  solution: (task) => stubAfter(task, prelude),
})

const NESTED = `export type __Deep<T, N extends unknown[] = []> = N['length'] extends 900 ? T : __Deep<T | [T], [...N, T]>
export type __Bomb = __Deep<__Deep<'a' | 'b' | 'c'>>
export const __bomb: __Bomb = null as never`

/**
 * Solutions that use up time and memory during grading. The correct result is a failure without harm to the next
 * attempt.
 */
export const DENIALS: readonly SolutionAttack[] = [
  inEveryCall('loops-in-a-test', 'Never returns from a call.', 'for (;;);', { waits: true }),
  atLoad('loops-at-load', 'Never finishes loading.', 'for (;;);', { waits: true }),
  inEveryCall(
    'never-settles',
    'Returns a promise that never settles.',
    'return new Promise(() => {})',
    {
      waits: true,
    },
  ),
  inEveryCall(
    'microtask-flood',
    'Queues microtasks for ever, so that timers never run.',
    'const again = () => { queueMicrotask(again) }; again(); return undefined',
    { waits: true },
  ),
  inEveryCall(
    'memory-on-the-heap',
    'Fills the heap until the process dies.',
    'const all = []; for (;;) all.push(new Array(1e6).fill({ all }))',
    { waits: true },
  ),
  inEveryCall(
    'memory-off-the-heap',
    'Fills memory outside the heap.',
    'const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1))',
    { waits: true },
  ),
  inEveryCall(
    'deep-recursion',
    'Overflows the stack, where some harnesses lose the error.',
    'const down = () => 1 + down(); return down()',
  ),
  inEveryCall(
    'console-flood',
    'Prints twenty megabytes.',
    "for (let i = 0; i < 200; i++) console.log('x'.repeat(100_000)); return undefined",
    { waits: true },
  ),
  inEveryCall(
    'catastrophic-pattern',
    'Asks a regular expression that backtracks for ever.',
    "/^(a+)+$/.test('a'.repeat(60) + '!'); return undefined",
    { waits: true },
  ),
  atLoad(
    'waits-on-an-atomic',
    'Blocks the thread on shared memory.',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    { waits: true },
  ),
  {
    ...atLoad('oversized-solution', 'Hands over half a megabyte of nested operators.', ''),
    solution: (task) =>
      stubAfter(task, `const __deep = ${'('.repeat(250_000)}1${')'.repeat(250_000)}`),
  },
  {
    ...atLoad('type-check-bomb', 'Makes the type check as slow as it can.', '', { waits: true }),
    solution: (task) => task.stubs.map(({ path, text }) => ({ path, text: `${NESTED}\n${text}` })),
  },
]
