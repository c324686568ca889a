import { expect, it } from 'vitest'
import { expectPrevented } from '#lib/testing/cases/harmless-cheats.ts'
import { WORKFLOW_CHEATS } from './list-cheats.ts'

it('every cheat has a name of its own', () => {
  expect(WORKFLOW_CHEATS.length).toBeGreaterThanOrEqual(10)
  expect(new Set(WORKFLOW_CHEATS.map(({ name }) => name)).size).toBe(WORKFLOW_CHEATS.length)
})

// One of them; the long tests play more, also without a sandbox, and an audit plays all.
expectPrevented(['files-by-browser'])
