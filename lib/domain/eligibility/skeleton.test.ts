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
  ])('sees claude behind %s', (_, name) => {
    expect(skeleton(name)).toBe(skeleton('claude'))
  })

  it('takes rn for m, and o for 0', () => {
    expect(skeleton('gernma')).toBe(skeleton('gemma'))
    expect(skeleton('gpt-40')).toBe(skeleton('GPT-4o'))
  })

  it('tells names apart that a reader can tell apart', () => {
    const names = ['claude', 'claude-2', 'codex', 'gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-5', 'pi']
    expect(new Set(names.map(skeleton)).size).toBe(names.length)
  })
})

describe('findHidden', () => {
  it.each([
    ['zero-width', 'a\u200bb', 'U+200B'],
    ['bidi', 'a\u202eb', 'U+202E'],
    ['control', 'a\u0007b', 'U+0007'],
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
    ...{
      kind: 'agent' as const,
      name: 'claude',
      version: '2.1.0',
      adapterVersion: 'c39fd55826c3-p3',
    },
    ...{ provider: 'anthropic', modelRequested: 'claude-x' },
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
  })
})
