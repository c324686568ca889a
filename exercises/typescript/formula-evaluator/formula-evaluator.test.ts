import { describe, it, expect } from '@jest/globals'
import { evaluate, type ErrorCode, type Sheet } from './formula-evaluator.ts'

const failure = (error: ErrorCode, position: number, cell: string | null = null) => ({
  error,
  cell,
  position,
})

const all = (formulas: string[], sheet?: Sheet) => formulas.map((f) => evaluate(f, sheet))

describe('operators', () => {
  it('applies the usual precedence and parentheses', () => {
    expect(evaluate('1 + 2 * 3')).toBe(7)
    expect(evaluate('(1 + 2) * 3')).toBe(9)
    expect(evaluate('7 - 2 - 1')).toBe(4)
    expect(evaluate('16 / 4 / 2')).toBe(2)
    expect(evaluate('1.25*4')).toBe(5)
  })

  it('reads powers from right to left', () => {
    expect(all(['2 ^ 3 ^ 2', '(2 ^ 3) ^ 2', '2 * 3 ^ 2'])).toEqual([512, 64, 18])
  })

  it('places a minus between products and powers', () => {
    expect(all(['-2 ^ 2', '(-2) ^ 2', '2 ^ -1', '2 ^ -2 ^ 2'])).toEqual([-4, 4, 0.5, 0.0625])
    expect(all(['3 * -2', '3 - -2', '--2', '-3 * -2 ^ 2', '1--1'])).toEqual([-6, 5, 2, 12, 2])
  })

  it('compares after all arithmetic', () => {
    expect(all(['1 + 1 = 2', '2 * 3 <> 6', '1 < 1', '1 <= 1', '2 > 1', '1 >= 2'])).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
    ])
    expect(all(['(1 < 2) = TRUE', 'true <> false', 'TRUE = FALSE'])).toEqual([true, true, false])
  })

  it('compares a number with a smaller, an equal and a larger one', () => {
    const compare = (operator: string) =>
      all([`3 ${operator} 2`, `2 ${operator} 2`, `2 ${operator} 3`])
    expect(compare('=')).toEqual([false, true, false])
    expect(compare('<>')).toEqual([true, false, true])
    expect(compare('<')).toEqual([false, false, true])
    expect(compare('<=')).toEqual([false, true, true])
    expect(compare('>')).toEqual([true, false, false])
    expect(compare('>=')).toEqual([true, true, false])
  })

  it('ignores white space but keeps two-character operators together', () => {
    expect(evaluate('\t1\n+\r\n 2 ')).toBe(3)
    expect(evaluate('1 < = 2')).toEqual(failure('SYNTAX', 4))
  })
})

describe('functions', () => {
  it('adds up and finds the smallest', () => {
    expect(all(['SUM(1, 2, 3.5)', 'SUM()', 'MIN(3, 1 - 2, 2)', 'MIN(4)'])).toEqual([6.5, 0, -1, 4])
  })

  it('chooses a branch', () => {
    expect(all(['IF(1 < 2, 10, 20)', 'IF(FALSE, 10, 20)', 'IF(TRUE, TRUE, 1)'])).toEqual([
      10,
      20,
      true,
    ])
  })

  it('does not evaluate the other branch', () => {
    const sheet = { A1: 'IF(TRUE, 1, A1)', B1: 'IF(FALSE, 1 +, 2)' }
    expect(all(['IF(FALSE, 1 / 0, 2)', 'IF(TRUE, 3, NOPE(1))', 'A1'], sheet)).toEqual([2, 3, 1])
    expect(evaluate('IF(TRUE, 4, B1)', sheet)).toBe(4)
  })

  it('replaces an error and evaluates the fallback only then', () => {
    expect(all(['IFERROR(1 / 0, 7)', 'IFERROR(6 / 2, 7)', 'IFERROR(FALSE, 7)'])).toEqual([
      7,
      3,
      false,
    ])
    expect(evaluate('IFERROR(1 / 0, NOPE)')).toEqual(failure('NAME', 15))
    const sheet = { A1: 'IFERROR(1, A1)', B1: 'IFERROR(A1, B1) + 1' }
    expect(evaluate('B1', sheet)).toBe(2)
  })

  it('does not care about case or a space before the parenthesis', () => {
    expect(evaluate('sum (a1, If(true, aB12, 0))', { A1: '1', AB12: '2' })).toBe(3)
  })
})

describe('cells', () => {
  it('have the value of their formula and 0 when they are missing', () => {
    const sheet = { A1: '2', B1: 'A1 * 3', ZZ100: 'B1 > A1' }
    expect(all(['A1 + B1', 'ZZ100', 'C7 + 1', 'MIN(A1, Q9)'], sheet)).toEqual([8, true, 1, 0])
  })

  it('know their names: at most two letters and no leading zero', () => {
    const sheet = { ABC1: '1', A01: '1', A0: '1' }
    expect(all(['ABC1', 'A01', 'A0', 'A', 'A1B'], sheet)).toEqual(
      Array.from({ length: 5 }, () => failure('NAME', 0)),
    )
  })

  it('are read once however often they are used', () => {
    const reads: string[] = []
    const chain: Record<string, string> = { A1: '1' }
    for (let row = 2; row <= 12; row++) chain[`A${row}`] = `A${row - 1} + A${row - 1}`
    const sheet = new Proxy(chain, {
      get(target, name) {
        reads.push(String(name))
        return target[String(name)]
      },
    })
    expect(evaluate('A12 + A12', sheet)).toBe(4096)
    expect(reads.sort()).toEqual(Object.keys(chain).sort())
  })

  it('do not keep values from one call to the next', () => {
    const sheet = { A1: '1' }
    expect(evaluate('A1', sheet)).toBe(1)
    sheet.A1 = '2'
    expect(evaluate('A1', sheet)).toBe(2)
  })
})

describe('syntax errors', () => {
  it('point at the first token that does not fit', () => {
    expect(evaluate('1 2')).toEqual(failure('SYNTAX', 2))
    expect(evaluate('1 + * 2')).toEqual(failure('SYNTAX', 4))
    expect(evaluate('(1 + 2))')).toEqual(failure('SYNTAX', 7))
    expect(evaluate('SUM(1,)')).toEqual(failure('SYNTAX', 6))
    expect(evaluate('+1')).toEqual(failure('SYNTAX', 0))
    expect(evaluate('1, 2')).toEqual(failure('SYNTAX', 1))
  })

  it('point at the end when something is missing', () => {
    expect(evaluate('')).toEqual(failure('SYNTAX', 0))
    expect(evaluate('  ')).toEqual(failure('SYNTAX', 2))
    expect(evaluate('1 + ')).toEqual(failure('SYNTAX', 4))
    expect(evaluate('SUM(1, 2')).toEqual(failure('SYNTAX', 8))
    expect(evaluate('-')).toEqual(failure('SYNTAX', 1))
  })

  it('point at the first of several problems', () => {
    expect(evaluate('1 @ 2')).toEqual(failure('SYNTAX', 2))
    expect(evaluate('1 2 @')).toEqual(failure('SYNTAX', 2))
  })

  it('allow only one comparison on a level', () => {
    expect(evaluate('1 < 2 < 3')).toEqual(failure('SYNTAX', 6))
    expect(evaluate('SUM(1 = 1 <> 2)')).toEqual(failure('SYNTAX', 10))
  })

  it('reject incomplete numbers', () => {
    expect(evaluate('.5')).toEqual(failure('SYNTAX', 0))
    expect(evaluate('5.')).toEqual(failure('SYNTAX', 1))
    expect(evaluate('1.2.3')).toEqual(failure('SYNTAX', 3))
    expect(evaluate('2A1')).toEqual(failure('SYNTAX', 1))
  })

  it('show even in a branch that is not chosen', () => {
    expect(evaluate('IF(TRUE, 1, 2 +)')).toEqual(failure('SYNTAX', 15))
    expect(evaluate('1 / 0 + )')).toEqual(failure('SYNTAX', 8))
  })

  it('belong to the cell whose text is wrong', () => {
    const sheet = { A1: '1 + B1', B1: '(3' }
    expect(evaluate('10 * a1', sheet)).toEqual(failure('SYNTAX', 2, 'B1'))
    expect(evaluate('IFERROR(A1, 9)', sheet)).toBe(9)
  })
})

describe('errors of evaluation', () => {
  it('name unknown functions and names', () => {
    expect(evaluate('1 + MAX(1 / 0)')).toEqual(failure('NAME', 4))
    expect(evaluate('2 * total')).toEqual(failure('NAME', 4))
    expect(all(['A1(1)', 'TRUE(1)', 'SUM', 'constructor(1)'])).toEqual(
      Array.from({ length: 4 }, () => failure('NAME', 0)),
    )
  })

  it('count arguments before evaluating them', () => {
    expect(evaluate('1 + MIN()')).toEqual(failure('ARGS', 4))
    expect(evaluate('IF(1 / 0, 2)')).toEqual(failure('ARGS', 0))
    expect(evaluate('IF(TRUE, 2, 3, 4)')).toEqual(failure('ARGS', 0))
    expect(evaluate('IFERROR(1)')).toEqual(failure('ARGS', 0))
    expect(evaluate('IFERROR(1, 2, 3)')).toEqual(failure('ARGS', 0))
  })

  it('do not mix numbers and booleans', () => {
    expect(evaluate('1 + TRUE')).toEqual(failure('TYPE', 2))
    expect(evaluate('1 + -(1 < 2)')).toEqual(failure('TYPE', 4))
    expect(evaluate('1 = TRUE')).toEqual(failure('TYPE', 2))
    expect(evaluate('TRUE < FALSE')).toEqual(failure('TYPE', 5))
    expect(evaluate('2 * SUM(1, TRUE)')).toEqual(failure('TYPE', 4))
    expect(evaluate('IF(1, 2, 3)')).toEqual(failure('TYPE', 0))
    expect(evaluate('TRUE / 0')).toEqual(failure('TYPE', 5))
  })

  it('refuse division by zero and results that are not finite', () => {
    expect(evaluate('1 - 8 / (2 - 2)')).toEqual(failure('DIV0', 6))
    expect(evaluate('0 / 0')).toEqual(failure('DIV0', 2))
    expect(evaluate('0 ^ -1')).toEqual(failure('DIV0', 2))
    expect(evaluate('0 ^ 0.5')).toBe(0)
    expect(evaluate('(-8) ^ 0.5')).toEqual(failure('NUM', 5))
    expect(evaluate('10 ^ 300 * 10 ^ 300')).toEqual(failure('NUM', 9))
    expect(evaluate('SUM(A1, A1)', { A1: '1.5 * 10 ^ 308' })).toEqual(failure('NUM', 0))
  })

  it('pass on the first error from the left', () => {
    expect(evaluate('1 / 0 + NOPE')).toEqual(failure('DIV0', 2))
    expect(evaluate('NOPE + 1 / 0')).toEqual(failure('NAME', 0))
    expect(evaluate('MIN(1, NOPE, 1 / 0)')).toEqual(failure('NAME', 7))
    expect(evaluate('-(1 / 0)')).toEqual(failure('DIV0', 4))
    expect(evaluate('IF(1 / 0 = 1, 2, 3)')).toEqual(failure('DIV0', 5))
  })

  it('prefer an error inside to a wrong type or a zero', () => {
    expect(evaluate('TRUE + 1 / 0')).toEqual(failure('DIV0', 9))
    expect(evaluate('SUM(TRUE, NOPE)')).toEqual(failure('NAME', 10))
    expect(evaluate('NOPE / 0')).toEqual(failure('NAME', 0))
    expect(evaluate('1 = 1 / 0')).toEqual(failure('DIV0', 6))
    expect(evaluate('TRUE < NOPE')).toEqual(failure('NAME', 7))
  })

  it('keep the cell and position where they arose', () => {
    const sheet = { A1: '  1 / B1', B1: '0', C1: 'SUM(2, A1)' }
    expect(evaluate('1 + C1', sheet)).toEqual(failure('DIV0', 4, 'A1'))
    expect(evaluate('C1 / 0', sheet)).toEqual(failure('DIV0', 4, 'A1'))
    expect(evaluate('B1 / 0', sheet)).toEqual(failure('DIV0', 3))
  })
})

describe('cycles', () => {
  it('are reported at the reference that closes them', () => {
    expect(evaluate('1 + A1', { A1: '2 * a1' })).toEqual(failure('CYCLE', 4, 'A1'))
    const sheet = { A1: 'B1 + 1', B1: '2 * C1', C1: '3 - A1' }
    expect(evaluate('A1', sheet)).toEqual(failure('CYCLE', 4, 'C1'))
    expect(evaluate('B1', sheet)).toEqual(failure('CYCLE', 0, 'A1'))
  })

  it('are not seen where a cell is only used twice', () => {
    const sheet = { A1: 'B1 + C1', B1: 'D1', C1: 'D1', D1: '4' }
    expect(evaluate('A1 + D1', sheet)).toBe(12)
  })

  it('can be survived with a fallback', () => {
    const sheet = { A1: 'IFERROR(B1, 5)', B1: 'A1' }
    expect(all(['A1', 'B1'], sheet)).toEqual([5, 5])
  })

  it('do not leave their mark on cells evaluated later', () => {
    const sheet = { A1: 'IFERROR(B1, 5)', B1: 'A1', C1: 'A1 * 10 + B1' }
    expect(all(['A1 * 10 + B1', 'B1 * 10 + A1', 'C1'], sheet)).toEqual([55, 55, 55])
    const loop = { A1: 'B1', B1: '1 + A1' }
    expect(evaluate('IF(IFERROR(A1, 0) = 0, B1, 1)', loop)).toEqual(failure('CYCLE', 0, 'A1'))
  })
})
