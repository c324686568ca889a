import { describe, expect, it } from 'vitest'
import { WORKFLOW_CHEATS } from '#runner/workflow/cheats/list-cheats.ts'
import { playCheat } from '#runner/workflow/cheats/play-cheat.ts'

function play(name: string, env: Record<string, string> = {}) {
  const cheat = WORKFLOW_CHEATS.find((one) => one.name === name)
  if (!cheat) throw new Error(`there is no cheat ${name}`)
  return playCheat(cheat, env)
}

/** Defines tests that play cheats by name in a library's sandbox and expect them to be prevented. */
export function expectPrevented(names: readonly string[]): void {
  describe('in its sandbox a hostile library', { tags: ['chromium', 'bubblewrap'] }, () => {
    it.each(names)('%s reaches nothing', async (name) => {
      const { outcome, came, isPrevented } = await play(name)
      expect({ name, outcome, came, isPrevented }).toMatchObject({
        outcome: 'unsolved',
        came: { prevented: expect.any(String) },
        isPrevented: true,
      })
    })
  })
}

/** Defines tests that play cheats by name without a sandbox and expect the task to be unsolved. */
export function expectUnsolved(names: readonly string[]): void {
  describe('without a sandbox a hostile library', { tags: 'chromium' }, () => {
    it.each(names)('%s is not solved, and no attempt of it is void', async (name) => {
      const { outcome, findings } = await play(name, { PROOFBOARD_LIBRARY_SANDBOX: 'none' })
      const found = name.startsWith('control')
        ? 'control-endpoint-probed'
        : 'changed-outside-browser'
      if (name === 'killed-harness') expect([outcome, findings]).toEqual(['unsolved', []])
      else expect([outcome, findings]).toEqual(['tampered', [found]])
    })
  })
}
