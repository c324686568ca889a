import type { SolutionAttack } from '../attack.ts'
import { stubAfter } from '../build-solution.ts'

/** One change of the language before the stub, where the tests and their comparisons would meet it. */
const change = (name: string, summary: string, prelude: string): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'language-tampered',
  summary,
  scope: 'every-task',
  mustBeNamed: true,
  solution: (task) => stubAfter(task, prelude),
})

const SWALLOW = 'try { ' // A harness that freezes the language throws here; a hostile solution goes on.
const attempt = (code: string) => `${SWALLOW}${code} } catch {}`

/** Built-ins, matchers and timers of the language that judge and judged share. */
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
