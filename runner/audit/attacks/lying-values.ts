import type { SolutionAttack } from '../attack.ts'
import { alwaysAnswers } from '../build-solution.ts'

/** A value that every function of the task returns. Failing its tests is the right result: it is a wrong answer. */
const value = (name: string, summary: string, expression: string): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'lying-values',
  summary,
  scope: 'every-task',
  mustBeNamed: false,
  solution: (task) => alwaysAnswers(task, expression),
})

/** Values that lie about what they are to whoever compares them. */
export const LYING_VALUES: readonly SolutionAttack[] = [
  value(
    'asymmetric-matcher',
    'Returns an object that says it is an asymmetric matcher.',
    "{ $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true, toAsymmetricMatcher: () => '', getExpectedType: () => 'any' }",
  ),
  value(
    'proxy-for-anything',
    'Returns a proxy that has every property and agrees with every question.',
    'new Proxy(function () {}, { get: (_, key) => (key === "asymmetricMatch" ? () => true : key === Symbol.toPrimitive ? () => 42 : 1), has: () => true })',
  ),
  value(
    'thenable-that-swallows',
    'Returns a thenable that never passes a value on, so that awaited assertions are skipped.',
    '{ then: (done) => { try { done() } catch {} return { then: (next) => next?.(), catch() {} } }, catch() {} }',
  ),
  value(
    'value-of-anything',
    'Returns an object that converts to whatever is asked for.',
    '{ valueOf: () => 42, toJSON: () => 42, toString: () => "", [Symbol.toPrimitive]: () => 42 }',
  ),
  value(
    'tag-of-another-type',
    'Returns objects with the tag and the constructor of another type.',
    '{ constructor: Map, size: 0, [Symbol.toStringTag]: "Map", "@@__IMMUTABLE_KEYED__@@": true, *[Symbol.iterator]() {} }',
  ),
  value(
    'lying-collections',
    'Returns a set that iterates over nothing.',
    'Object.assign(new Set([8, 9]), { [Symbol.iterator]: function* () {}, has: () => true })',
  ),
  value(
    'fake-mock',
    'Returns a function that looks like a mock with the wanted calls.',
    'Object.assign(() => {}, { _isMockFunction: true, getMockName: () => "", mock: { calls: [[], []], results: [] } })',
  ),
  value(
    'revoked-proxy',
    'Throws a revoked proxy, which breaks whoever describes it.',
    '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy })()',
  ),
  value('throws-null', 'Throws null, which has no message.', '(() => { throw null })()'),
  value(
    'instance-of-everything',
    'Returns a class that everything is an instance of.',
    'class { static [Symbol.hasInstance]() { return true } }',
  ),
]
