import { describe, expect, it } from 'vitest'
import { AskedTools } from './asked-tools.ts'

function printOf(name: string, value: unknown, pieces: readonly string[] = []): string | null {
  const asked = new AskedTools()
  asked.begin('k', { id: 'x', name, value })
  for (const piece of pieces) asked.add('k', piece)
  return asked.list()[0]?.fingerprint ?? null
}

describe('the fingerprint of a tool call', () => {
  it('is the same for the same arguments, however they were written', () => {
    const print = printOf('edit', { path: 'a', text: 'b' })
    expect(printOf('edit', '{ "text": "b", "path": "a" }')).toBe(print)
    expect(printOf('edit', {}, ['{"path":"a",', '"text":"b"}'])).toBe(print)
    expect(printOf('edit', {})).toBe(printOf('edit', ''))
  })

  it('is another one for another tool, other arguments, other text', () => {
    const prints = [
      printOf('edit', { a: 1 }),
      printOf('read', { a: 1 }),
      printOf('edit', { a: 2 }),
      printOf('edit', '{"a":1'),
      printOf('edit', 'a plain text'),
      printOf('edit', {}),
    ]
    expect(new Set(prints).size).toBe(prints.length)
  })

  it('holds nothing of the arguments', () => {
    expect(printOf('edit', 'my secret')).toMatch(/^[\w-]{43}$/)
  })

  it('is not known where the arguments are not', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
    const piece = 'x'.repeat(3 << 20)
    expect(printOf('edit', undefined)).toBeNull()
    expect(printOf('edit', deep)).toBeNull()
    expect(printOf('edit', {}, [piece, piece, piece])).toBeNull()
  })

  it('takes a call of one key once, and no fragment without a call', () => {
    const asked = new AskedTools()
    asked.add('k', 'lost')
    asked.begin('k', { id: 'x', name: 'edit', value: {} })
    asked.begin('k', { id: 'y', name: 'edit', value: {} })
    expect(asked.list()).toEqual([{ id: 'x', name: 'edit', fingerprint: printOf('edit', {}) }])
  })
})
