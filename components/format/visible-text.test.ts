import { describe, expect, it } from 'vitest'
import { visibleLogText, visibleText } from './visible-text.ts'

describe('text from strangers', () => {
  it('shows bidi controls and invisible characters instead of obeying them', () => {
    expect(visibleText('a\u202eb\u2066c\u200bd\ufeff')).toBe('a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+FEFF⟩')
    expect(visibleText('bell\u0007 \u001b[31mred')).toBe('bell⟨U+0007⟩ ⟨U+001B⟩[31mred')
  })

  it('keeps tabs, line ends, scripts and emoji', () => {
    expect(visibleText('a\tb\nж漢字🙂')).toBe('a\tb\nж漢字🙂')
  })

  it('keeps colours of a log and drops cursor moves, titles and links', () => {
    expect(visibleLogText('\u001b[2K\u001b[1A\u001b[31mred\u001b[0m')).toBe(
      '\u001b[31mred\u001b[0m',
    )
    expect(visibleLogText('\u001b]0;title\u0007x\u001b]8;;http://evil\u001b\\y')).toBe('xy')
    expect(visibleLogText('\u001bcreset')).toBe('⟨ESC⟩creset')
    expect(visibleLogText('10 %\r20 %')).toBe('10 %␍20 %')
  })
})
