import typescript from 'typescript-gate'
import { expect, it } from 'vitest'
import { watchAssignments } from './watch-assignments.ts'

const watch = (text: string) => watchAssignments(typescript, { path: 'a.ts', text }).text

it.each([
  ['a.b = 1', '__watchWrite(a, "b"), a.b = 1'],
  ['const x = {}\na.b = 1', 'const x = {}\n__watchWrite(a, "b"), a.b = 1'],
  [
    'if (x) a.b = 1; else c.d += 2',
    'if (x) __watchWrite(a, "b"), a.b = 1; else __watchWrite(c, "d"), c.d += 2',
  ],
  ['f(() => (a as any)[k] = 1)', 'f(() => (__watchWrite((a as any), k), (a as any)[k] = 1))'],
  ['delete a.b', '__watchWrite(a, "b"), delete a.b'],
  ['setTimeout = f', '__watchWrite(globalThis, "setTimeout"), setTimeout = f'],
  ['x = a.b = c.d = 1', 'x = (__watchWrite(a, "b"), a.b = (__watchWrite(c, "d"), c.d = 1))'],
])('watches %s', (before, after) => {
  expect(watch(before)).toBe(after)
})

it.each([
  'x = 1',
  'this.a = 1',
  'f().a = 1',
  'a.b ??= 1',
  'this.#a = 1',
  'a[f()] = 1',
  'a.b === 1',
  'let setTimeout = f\nsetTimeout = g',
  'const run = (setTimeout = f) => setTimeout()',
  'function Map() {}\nMap = f',
  'a = { setTimeout: f }',
  '(broken',
])('leaves %s as it is', (text) => {
  expect(watch(text)).toBe(text)
})
