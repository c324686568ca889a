import { describe, expect, it } from 'vitest'
import { patchReference, patchTests } from './admit-task.ts'

const diagnostic = (
  code: number,
  line: number,
  column: number,
  message = '',
  file = 'a.test.ts',
) => ({ file, line, column, code, message })

describe('patchTests', () => {
  it('declares the variable the compiler points at, and only that one', () => {
    const tests = [
      { path: 'a.test.ts', text: 'let other\nlet found = []\nexpect(found).toEqual(other)\n' },
    ]
    const patched = patchTests(tests, [diagnostic(7034, 2, 5), diagnostic(7005, 3, 8)])
    expect(patched?.value[0]?.text).toBe(
      'let other\nlet found: any = []\nexpect(found).toEqual(other)\n',
    )
    expect(patched?.did).toContain('a.test.ts:2')
  })

  it('does not touch tests for errors of the solution', () => {
    expect(
      patchTests([{ path: 'a.test.ts', text: 'let a' }], [diagnostic(7034, 1, 5, '', 'a.ts')]),
    ).toBeNull()
    expect(patchTests([{ path: 'a.test.ts', text: 'let a' }], [diagnostic(2322, 1, 5)])).toBeNull()
  })
})

describe('patchReference', () => {
  it('opens what the tests call, by name', () => {
    const reference = [
      {
        path: 'b.ts',
        text: 'class B {\n  private moves(): number { return this.rest() }\n  private rest() { return 1 }\n}\n',
      },
    ]
    const patched = patchReference(reference, [
      diagnostic(2341, 3, 7, "Property 'moves' is private and only accessible within class 'B'."),
    ])
    expect(patched?.value[0]?.text).toContain('  moves(): number')
    expect(patched?.value[0]?.text).toContain('private rest()')
  })

  it('does not apply to other errors', () => {
    expect(patchReference([], [diagnostic(2322, 1, 1)])).toBeNull()
  })
})
