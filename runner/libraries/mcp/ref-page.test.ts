import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Target } from '../action-surface.ts'
import { RefPage, stageFiles } from './ref-page.ts'

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

it('stages two files of one name as two files of that name', async () => {
  const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  try {
    const paths = ['a', 'b'].map((folder) => join(root, folder, 'report.txt'))
    for (const [at, folder] of ['a', 'b'].entries()) {
      mkdirSync(join(root, folder))
      writeFileSync(paths[at] ?? '', folder)
    }
    const staged = await stageFiles(root, paths)
    expect(staged.map((path) => [basename(path), readFileSync(path, 'utf8')])).toEqual([
      ['report.txt', 'a'],
      ['report.txt', 'b'],
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})
