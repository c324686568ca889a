import { describe, expect, it } from 'vitest'
import { addUp } from './weigh-pages.ts'

const seen = { ending: 'finished' as const, resultBytes: 300, resultTokens: 90 }

describe('addUp', () => {
  it('adds up bytes and tokens of the pages that were seen', () =>
    expect(addUp([seen, seen])).toEqual({ pages: 2, bytes: 600, tokens: 180 }))
  it('leaves tokens unknown where one page has none', () =>
    expect(addUp([seen, { ...seen, resultTokens: null }])).toMatchObject({ tokens: null }))
  it('says nothing when a page was not seen', () => {
    expect(addUp([seen, null])).toBeNull()
    expect(addUp([{ ...seen, ending: 'gave-up' }])).toBeNull()
    expect(addUp([])).toBeNull()
  })
})
