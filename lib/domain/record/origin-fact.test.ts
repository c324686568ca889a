import { describe, expect, it } from 'vitest'
import { digestJson } from '../digest/index.ts'
import { digestTests } from './origin-fact.ts'

describe('digestTests', () => {
  it('is of the names in any order, whatever was asked before', () => {
    const lists = [['a', 'b'], ['b', 'a'], ['a', 'b'], ['a'], ['a', 'c'], [], ['a', 'b']]
    for (const names of lists) expect(digestTests(names)).toBe(digestJson([...names].sort()))
  })
})
