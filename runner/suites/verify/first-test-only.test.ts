import ts from 'typescript-gate'
import { describe, expect, it } from 'vitest'
import { instrument } from './first-test-only.ts'

/** Compiles and loads a module's text, with a probe that keeps the last number. */
function load(text: string): {
  exports: Record<string, (...args: number[]) => number>
  probed: () => number
} {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  const exports = {}
  let last = 0
  Object.assign(globalThis, { __proofboardProbe: (n: number) => (last = n) })
  new Function('exports', outputText)(exports)
  return { exports, probed: () => last }
}

const SOURCE = {
  path: 'a.ts',
  text: 'const twice = (n: number) => n * 2\nexport function four(n: number): number { return [n].map((one) => twice(twice(one)))[0] ?? 0 }\n',
}

describe('instrument', () => {
  it('counts every entered function and changes no result', () => {
    const { exports, probed } = load(instrument(ts, SOURCE, { kind: 'count' }).text)
    expect(exports.four?.(3)).toBe(12)
    expect(probed()).toBe(4)
  })

  it('works up to the limit and throws afterwards', () => {
    const { exports } = load(instrument(ts, SOURCE, { kind: 'limit', entries: 4 }).text)
    expect(exports.four?.(3)).toBe(12)
    expect(() => exports.four?.(3)).toThrow('only the first test is satisfied')
  })

  it('answers as before once the cut is reached, and nothing where there was no answer yet', () => {
    const text =
      'export const twice = (n: number) => n * 2\nexport function thrice(n: number) { if (n > 1) { return n * 3 }\n return [n].map((one) => { return one * 3 })[0] }\n'
    const { exports } = load(
      instrument(ts, { path: 'a.ts', text }, { kind: 'repeat', entries: 2 }).text,
    )
    expect([exports.twice?.(1), exports.twice?.(2), exports.twice?.(3)]).toEqual([2, 4, 4])
    expect(exports.thrice?.(5)).toBeUndefined()
    const again = load(instrument(ts, { path: 'a.ts', text }, { kind: 'repeat', entries: 9 }).text)
    expect([again.exports.thrice?.(1), again.exports.thrice?.(5)]).toEqual([3, 15])
  })

  it('changes every answer a little', () => {
    const { exports } = load(instrument(ts, SOURCE, { kind: 'change' }).text)
    expect(exports.four?.(3)).toBe(3 * 4 + 5)
  })

  it('leaves classes with base classes, generators, accessors and overloads compilable', () => {
    const text = [
      'class A { get x(): number { return 1 } static s = () => ({ a: 1 }) }',
      'class B extends A { y = 2; constructor() { super() } *g(): Generator<number> { yield this.y } }',
      'export function f(a: string): string',
      'export function f(a: number): number',
      'export function f(a: string | number): string | number { return a }',
      'export const g = async <T,>(value: T): Promise<T> => value',
      'export default class { m(): B { return new B() } }',
    ].join('\n')
    const modes = [{ kind: 'count' }, { kind: 'repeat', entries: 2 }, { kind: 'change' }] as const
    for (const mode of modes) {
      const written = instrument(ts, { path: 'b.ts', text }, mode)
      const { diagnostics = [] } = ts.transpileModule(written.text, {
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ES2022 },
      })
      expect(diagnostics).toEqual([])
    }
  })
})
