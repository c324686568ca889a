import { expect, it } from 'vitest'
import { formatState } from './upload-table.tsx'

const NONE = { new: 0, duplicate: 0, conflict: 0, rejected: 0 }
const stateOf = (counts: Partial<typeof NONE>, problem: string | null = null, added = 0) =>
  formatState({
    state: 'previewed',
    preview: { problem, counts: { ...NONE, ...counts }, runs: [], evidence: { added } },
  })

it('says that an upload waits only where a commit would add something', () => {
  expect(stateOf({ new: 2, duplicate: 1 })).toBe('awaiting commit')
  expect(stateOf({ duplicate: 1 }, null, 3)).toBe('awaiting commit')
  expect(stateOf({ duplicate: 60 })).toBe('nothing to add')
  expect(stateOf({ new: 1, conflict: 1 })).toBe('rejected')
  expect(stateOf({}, 'unsupported format')).toBe('rejected')
})
