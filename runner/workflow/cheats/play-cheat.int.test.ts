import { describe, expect, it } from 'vitest'
import { hasChromium } from '#lib/testing/factories/chromium.ts'
import { whyNoSandbox } from '../../libraries/sandbox/library-sandbox.ts'
import { WORKFLOW_CHEATS } from './list-cheats.ts'
import { playCheat } from './play-cheat.ts'

const hasSandbox = (await whyNoSandbox({})) === null
/** The others take minutes: an audit plays them all. */
const SANDBOXED = ['plain-http', 'files-by-browser', 'closed-browser', 'killed-harness']
const LOCAL = ['copied-headers', 'behind-the-front', 'control-from-the-page', 'killed-harness']

function play(name: string, env: Record<string, string> = {}) {
  const cheat = WORKFLOW_CHEATS.find((one) => one.name === name)
  if (!cheat) throw new Error(`there is no cheat ${name}`)
  return playCheat(cheat, env)
}

it('every cheat has a name of its own', () => {
  expect(WORKFLOW_CHEATS.length).toBeGreaterThanOrEqual(10)
  expect(new Set(WORKFLOW_CHEATS.map(({ name }) => name)).size).toBe(WORKFLOW_CHEATS.length)
})

describe.skipIf(!hasChromium || !hasSandbox)('in its sandbox a hostile library', () => {
  it.each(SANDBOXED)(
    '%s reaches nothing',
    async (name) => {
      const { outcome, came, holds } = await play(name)
      expect({ name, outcome, came, holds }).toMatchObject({
        outcome: 'unsolved',
        came: { prevented: expect.any(String) },
        holds: true,
      })
    },
    120_000,
  )
})

describe.skipIf(!hasChromium)('without a sandbox a hostile library', () => {
  it.each(LOCAL)(
    '%s is not solved, and no attempt of it is void',
    async (name) => {
      const { outcome, findings } = await play(name, { PROOFBOARD_LIBRARY_SANDBOX: 'none' })
      const found = name.startsWith('control')
        ? 'control-endpoint-probed'
        : 'changed-outside-browser'
      if (name === 'killed-harness') expect([outcome, findings]).toEqual(['unsolved', []])
      else expect([outcome, findings]).toEqual(['tampered', [found]])
    },
    120_000,
  )
})
