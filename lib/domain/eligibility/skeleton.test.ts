import { describe, expect, it } from 'vitest'
import { findImitatedSubject, findMisuse } from './shipped-subjects.ts'
import { findHidden, skeleton } from './skeleton.ts'

describe('skeleton', () => {
  it.each([
    ['another case', 'Claude'],
    ['a Cyrillic letter', 'cl\u0430ude'],
    ['a Cyrillic capital', '\u0421laude'],
    ['a Greek letter', 'cl\u03b1ude'],
    ['full width', '\uff43\uff4c\uff41\uff55\uff44\uff45'],
    ['mathematical letters', '\u{1d41c}laude'],
    ['a zero-width space', 'cla\u200bude'],
    ['a soft hyphen', 'cla\u00adude'],
    ['a bidi override', '\u202eclaude'],
    ['a capital I for l', 'cIaude'],
    ['a digit for l', 'c1aude'],
    ['an accent', 'claud\u00e9'],
    ['a dotless i for l', 'c\u0131aude'],
    ['cl written as d', 'daude'],
    ['a Braille blank', 'claude\u2800'],
    ['a blank note', 'cla\u{1d159}ude'],
    ['a blank hieroglyph', 'cla\u{13441}ude'],
    ['a dot at the end', 'claude.'],
    ['a dash at the start', '-claude'],
    ['spaces', ' clau de '],
    ['a middle dot', 'clau\u00b7de'],
    ['an em dash', 'clau\u2014de'],
  ])('sees claude behind %s', (_, name) => {
    expect(skeleton(name)).toBe(skeleton('claude'))
  })

  it.each([
    ['qwen', 'qvven'],
    ['vwv', 'vvvv'],
    ['codex', 'coclex'],
    ['codex', 'coc1ex'],
    ['cline', 'dine'],
    ['grok-cli', 'grok cli'],
    ['grok-cli', 'grok.cli'],
    ['grok-cli', 'grokcli'],
    ['grok-cli', 'grok_cli'],
    ['grok-cli', 'grok--cli'],
    ['grok-cli', 'grok\u2013cli'],
    ['claude-sonnet-4-5', 'claude-sonnet-4\u20145'],
    ['gpt-4.1', 'gpt-4\u00b7l'],
    ['gpt-4.1', 'gpt 4..1'],
  ])('takes %s and %s for one name', (one, other) => {
    expect(skeleton(one)).toBe(skeleton(other))
  })

  it('takes rn for m, and o for 0', () => {
    expect(skeleton('gernma')).toBe(skeleton('gemma'))
    expect(skeleton('gpt-40')).toBe(skeleton('GPT-4o'))
  })

  it('tells names apart that a reader can tell apart', () => {
    const names = [
      ...['claude', 'claude-2', 'codex', 'gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-5', 'pi'],
      ...[
        'gpt-41',
        'gpt-4-1',
        'claude-sonnet-4-5',
        'claude-sonnet-4.5',
        '1.10.0',
        '11.0.0',
        '1.1.00',
      ],
    ]
    expect(new Set(names.map(skeleton)).size).toBe(names.length)
  })
})

describe('findHidden', () => {
  it.each([
    ['zero-width', 'a\u200bb', 'U+200B'],
    ['bidi', 'a\u202eb', 'U+202E'],
    ['control', 'a\u0007b', 'U+0007'],
    ['a Braille blank', 'a\u2800b', 'U+2800'],
    ['an em dash', 'a\u2014b', 'U+2014'],
    ['a middle dot', 'a\u00b7b', 'U+00B7'],
    ['a space at the end', 'model ', 'spaces'],
    ['a no-break space', 'a\u00a0b', 'spaces'],
    ['full width', '\uff41bc', 'NFKC'],
    ['a Cyrillic letter among Latin ones', 'cl\u0430ude', 'U+0430'],
  ])('refuses %s', (_, name, words) => {
    expect(findHidden(name)).toContain(words)
  })

  it.each(['claude', 'GPT-4o mini', '通义千问', '1.2.3-beta+5', 'c39fd55826c3-p3', ''])(
    'has nothing against "%s"',
    (name) => {
      expect(findHidden(name)).toBeNull()
    },
  )
})

describe('shipped names', () => {
  const claude = {
    kind: 'agent' as const,
    name: 'claude',
    version: '2.1.0',
    adapterVersion: 'c39fd55826c3-p3',
    provider: 'anthropic',
    modelRequested: 'claude-x',
  }
  const misuse = (change: object, isOld = false) => findMisuse({ ...claude, ...change }, { isOld })

  it('stand for what was shipped under them', () => {
    expect(misuse({})).toBeNull()
    expect(misuse({ name: 'claude-mine', adapterVersion: 'prompt 3' })).toBeNull()
    expect(misuse({ adapterVersion: 'prompt 3' })).toContain('with another definition (prompt 3)')
    expect(misuse({ adapterVersion: null })).toContain('with another definition (none)')
    expect(misuse({ adapterVersion: '000000000000-p1' }, true), 'kept before').toBeNull()
    expect(misuse({ kind: 'library' })).toContain('is the name of a shipped agent')
    expect(misuse({ kind: 'agent', name: 'reference' })).toContain(
      'is the name of a shipped control',
    )
    expect(misuse({ name: 'Claude' })).toContain('looks like claude')
    const playwright = { kind: 'library', name: 'playwright', adapterVersion: '1+0a1b2c3d' }
    expect(misuse(playwright)).toBeNull()
    expect(misuse({ ...playwright, adapterVersion: '9+0a1b2c3d' })).toContain('another definition')
  })

  it('are not taken for others that only begin alike', () => {
    expect(['pi-2', 'piper', 'grok-cli', 'cross'].map(findImitatedSubject)).toEqual(
      Array(4).fill(null),
    )
    expect(findImitatedSubject('Pl')).toBe('pi')
    expect(['coclex', 'qvven', 'playwright mcp'].map(findImitatedSubject)).toEqual([
      'codex',
      'qwen',
      'playwright-mcp',
    ])
  })
})
