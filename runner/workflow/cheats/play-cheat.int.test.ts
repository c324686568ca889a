import { expect, it } from 'vitest'
import { expectHarmless } from '#lib/testing/cases/harmless-cheats.ts'
import { WORKFLOW_CHEATS } from './list-cheats.ts'

/** One of each kind; more of them in the long tests, and an audit plays them all. */
const SANDBOXED = ['files-by-browser']
const LOCAL = ['control-from-the-page']

it('every cheat has a name of its own', () => {
  expect(WORKFLOW_CHEATS.length).toBeGreaterThanOrEqual(10)
  expect(new Set(WORKFLOW_CHEATS.map(({ name }) => name)).size).toBe(WORKFLOW_CHEATS.length)
})

expectHarmless({ sandboxed: SANDBOXED, local: LOCAL })
