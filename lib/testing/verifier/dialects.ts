import type { ValidSolution } from './valid-solutions.ts'

const SOLUTION = 'export const add = (a: number, b: number): number => a + b'

/** Styles of test files: what runs, in which order, under which name. */
export const DIALECTS: readonly ValidSolution[] = [
  {
    name: 'xit, xtest and xdescribe run; skip and todo do not',
    solution: SOLUTION,
    test: `import { describe, xdescribe, it, xit, test, xtest, expect } from '@jest/globals'
import { add } from './task.ts'
describe('a', () => {
  it('one', () => expect(add(1, 1)).toBe(2))
  xit('two', () => { expect(add(1, 1)).toBe(2) })
  xtest('three', () => { expect(add(1, 1)).toBe(2) })
  it.skip('four', () => { throw new Error('off') })
  test.todo('five')
  xdescribe('b', () => { test('six', () => { expect(add(0, 0)).toBe(0) }) })
  describe.skip('c', () => { it('seven', () => { throw new Error('off') }) })
})`,
    executed: ['a > one', 'a > two', 'a > three', 'a > b > six'],
  },
  {
    name: 'jest functions as globals, with require',
    solution: SOLUTION,
    test: `import { add } from './task'
beforeEach(() => {})
describe('g', () => { xit('x', () => { expect(add(1, 2)).toEqual(3) }); test('y', () => { jest.fn() }) })`,
    executed: ['g > x', 'g > y'],
  },
  {
    name: 'each: arrays, single values, objects, templates, describe',
    solution: SOLUTION,
    test: `import { describe, it, test, xit, expect } from '@jest/globals'
import { add } from './task.ts'
it.each([[1, 2, 3], [2, 2, 4]])('%i + %d = %s', (a, b, sum) => { expect(add(a, b)).toBe(sum) })
test.each([1, 2])('n %#: %p', (n) => { expect(add(n, 0)).toBe(n) })
xit.each([{ a: 1, sum: 2 }])('$a twice is $sum', ({ a, sum }) => { expect(add(a, a)).toBe(sum) })
describe.each([['x', 1], ['y', 2]])('group %s', (_name, n) => { it('adds', () => { expect(add(n, 1)).toBe(n + 1) }) })
it.each\`a | b | sum
\${1} | \${1} | \${2}
\${2} | \${3} | \${5}\`('$a plus $b', ({ a, b, sum }: any) => { expect(add(a, b)).toBe(sum) })`,
    executed: [
      '1 + 2 = 3',
      '2 + 2 = 4',
      'n 0: 1',
      'n 1: 2',
      '1 twice is 2',
      'group x > adds',
      'group y > adds',
      '1 plus 1',
      '2 plus 3',
    ],
  },
  {
    name: 'order of hooks',
    solution: SOLUTION,
    test: `import { afterAll, afterEach, beforeAll, beforeEach, describe, it, expect } from '@jest/globals'
const log: string[] = []
beforeAll(() => { log.push('A') })
beforeEach(async () => { await null; log.push('b') })
afterEach(() => { log.push('e') })
describe('d', () => {
  beforeAll((done) => { setTimeout(() => { log.push('B'); done() }, 1) })
  beforeEach(() => { log.push('c') })
  afterEach(() => { log.push('f') })
  afterAll(() => { log.push('Z') })
  it('first', () => { log.push('1') })
  it('second', () => { expect(log.join('')).toBe('ABbc1fe' + 'bc') })
})
it('last', () => { expect(log.join('')).toBe('ABbc1febcfeZb') })`,
    executed: ['d > first', 'd > second', 'last'],
  },
  {
    name: 'only, failing, concurrent, done and custom matchers',
    solution: SOLUTION,
    test: `import { describe, it, expect, fit } from '@jest/globals'
import { add } from './task.ts'
expect.extend({ toBeOdd: (n: number) => ({ pass: n % 2 === 1, message: () => 'odd' }) })
it('not in focus', () => { throw new Error('off') })
it.only('done', (done) => { setTimeout(() => { expect(add(1, 1)).toBe(2); done() }, 2) })
fit('custom', () => { (expect(add(1, 2)) as any).toBeOdd() })
describe.only('in focus', () => {
  it.failing('fails', () => { expect(add(1, 1)).toBe(3) })
  it.concurrent('concurrent', async () => { expect(add(1, 1)).toBe(2) })
})`,
    executed: ['done', 'custom', 'in focus > fails', 'in focus > concurrent'],
  },
  {
    name: 'a typed matcher of the tests, with types from expect',
    solution: SOLUTION,
    test: `import { beforeAll, expect, xit } from '@jest/globals'
import type { MatcherFunction } from 'expect'
import { add } from './task.ts'
declare module 'expect' { interface Matchers<R> { toBeTwice(n: number): R } }
const toBeTwice: MatcherFunction<[n: number]> = (received, n) => ({ pass: received === 2 * n, message: () => 'twice' })
beforeAll(() => { expect.extend({ toBeTwice }) })
xit('twice', () => { expect(add(2, 2)).toBeTwice(2); expect(add(2, 2)).not.toBeTwice(3) })`,
    executed: ['twice'],
  },
]
