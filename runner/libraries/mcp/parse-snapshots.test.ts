import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDevtoolsSnapshot } from '../chrome-devtools-mcp.ts'
import { parsePlaywrightSnapshot } from '../playwright-mcp.ts'
import { refOf } from './find-ref.ts'

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')
const recorded = (name: string) => readFileSync(join(FIXTURES, `${name}.snapshot.txt`), 'utf8')

/** Recorded from the same page with the installed servers. */
const SERVERS = {
  'playwright-mcp': {
    entries: parsePlaywrightSnapshot(recorded('playwright-mcp-0.0.83')),
    refs: {
      name: 'e5',
      size: 'e7',
      news: 'e9',
      save: 'e16',
      done: 'e20',
      note: 'f1e3',
      link: 'e25',
    },
  },
  'chrome-devtools-mcp': {
    entries: parseDevtoolsSnapshot(recorded('chrome-devtools-mcp-1.11.0')),
    refs: {
      name: '1_4',
      size: '1_6',
      news: '1_10',
      save: '1_16',
      done: '1_19',
      note: '1_24',
      link: '1_29',
    },
  },
}

describe.each(Object.entries(SERVERS))('a recorded snapshot of %s', (_, { entries, refs }) => {
  const find = (role: string, name: string, frame?: string) =>
    refOf(entries, { css: 'x', role, name, ...(frame ? { frame } : {}) })

  it('gives refs by role and name', () => {
    expect({
      name: find('textbox', 'Your name'),
      size: find('combobox', 'Size'),
      news: find('checkbox', 'Send me news'),
      save: find('button', 'Save the form'),
      done: find('region', 'Done column'),
      note: find('textbox', 'Note', '#fr'),
      link: find('link', 'Second page'),
    }).toEqual(refs)
  })

  it('keeps a frame and the page around it apart, also behind the frame', () => {
    expect(find('button', 'Keep note')).toBeNull()
    expect(find('button', 'Keep note', '#fr')).not.toBeNull()
    expect(find('button', 'Ask me', '#fr')).toBeNull()
    expect(find('button', 'Ask me')).not.toBeNull()
  })

  it('takes no part of a name for the name, no role for another', () => {
    expect(find('button', 'Save')).toBeNull()
    expect(find('link', 'Save the form')).toBeNull()
    expect(refOf(entries, { css: '#out' })).toBeNull()
  })
})

describe('names with quotes and colons', () => {
  it('are read as @playwright/mcp writes them', () => {
    const lines = [
      '- option "Large \\"XL\\"" [selected] [ref=e3]',
      `- 'button "Save: it''s done" [ref=e4]'`,
      '- generic [active] [ref=e1]:',
    ]
    const entries = parsePlaywrightSnapshot(lines.join('\n'))
    expect(refOf(entries, { css: '', role: 'option', name: 'Large "XL"' })).toBe('e3')
    expect(refOf(entries, { css: '', role: 'button', name: "Save: it's done" })).toBe('e4')
    expect(refOf(entries, { css: '', role: 'generic' })).toBe('e1')
  })

  it('are read as chrome-devtools-mcp writes them', () => {
    const entries = parseDevtoolsSnapshot(
      '  uid=1_9 option "Large "XL"" selected\nuid=1_2 Date "Day" value="x"',
    )
    expect(refOf(entries, { css: '', role: 'option', name: 'Large "XL"' })).toBe('1_9')
    expect(refOf(entries, { css: '', role: 'option', name: 'Large' })).toBeNull()
    expect(refOf(entries, { css: '', role: 'textbox', name: 'Day' })).toBe('1_2')
  })
})

it('several elements of one role and name are an error, not a guess', () => {
  const entries = parsePlaywrightSnapshot('- button "Add" [ref=e1]\n- button "Add" [ref=e2]')
  expect(() => refOf(entries, { css: '', role: 'button', name: 'Add' })).toThrow(
    '2 elements are button “Add”',
  )
})
