import { describe, expect, it } from 'vitest'
import type { Target } from '../action-surface.ts'
import { RefPage } from './ref-page.ts'

const SAVE = {
  ref: 'e1',
  inFrame: false,
  is: (role: string, name: string) => role + name === 'buttonSave',
}
const page = new RefPage(
  { tools: [], call: async () => ({ text: 'button Save', isError: false }), close: async () => {} },
  {
    snapshot: { tool: 'look', args: () => ({}) },
    parse: () => [SAVE],
    isStale: () => false,
    dialogAnswer: () => null,
  },
  50,
)
const target: Target = { css: '#save' }

describe('a page behind an MCP server', () => {
  it('reads what becomes visible in time, and names what does not', async () => {
    const answers = [null, 'Saved']
    expect(await page.readText(target, async () => answers.shift() ?? null)).toBe('Saved')
    await expect(page.readText(target, async () => null)).rejects.toThrow('#save was not seen')
  })

  it('waits for a part of a text', async () => {
    await page.waitText('ave', target, async () => 'Saved')
    await expect(page.waitText('Lost', target, async () => 'Saved')).rejects.toThrow(
      '“Lost” in #save was not seen',
    )
  })

  it('looks for a role in the snapshot, and reads only where there is none', async () => {
    const read = async () => 'Saved'
    expect(await page.isVisible(target, read)).toBe(true)
    expect(await page.isVisible(target, async () => null)).toBe(false)
    expect(await page.isVisible({ ...target, role: 'button', name: 'Save' }, read)).toBe(true)
    expect(await page.isVisible({ ...target, role: 'link', name: 'Save' }, read)).toBe(false)
  })
})
