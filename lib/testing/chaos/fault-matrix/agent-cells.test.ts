import { describe, expect, it } from 'vitest'
import { FAULT_KINDS } from '#runner/gateway/faults.ts'
import { ALL_CELLS, parseCells } from './agent-cells.ts'

describe('parseCells', () => {
  it('keeps the commas that belong to a fault, and accepts a failing provider', () => {
    const cells = parseCells('rate-limit@2x50,hang@2,limit=5,after=3, provider-529@1')
    expect(cells).toEqual([
      { name: 'rate-limit@2x50', fault: 'rate-limit@2x50', trouble: null, timeoutSeconds: 20 },
      {
        name: 'hang@2,limit=5,after=3',
        fault: 'hang@2,limit=5,after=3',
        trouble: null,
        timeoutSeconds: 90,
      },
      {
        name: 'provider-529@1',
        fault: null,
        trouble: { status: 529, atStep: 1 },
        timeoutSeconds: 20,
      },
    ])
  })

  it('has every kind of fault by itself', () => {
    const kinds = parseCells(ALL_CELLS).map(({ name }) => name.split('@')[0])
    expect(kinds).toEqual(expect.arrayContaining([...FAULT_KINDS]))
  })

  it('says what a fault looks like', () => {
    expect(() => parseCells('rate-limt@2')).toThrow('"rate-limt@2" is not a fault: write kind@step')
  })
})
