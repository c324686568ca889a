const ESC = '\u001b'
const BEL = '\u0007'

/** Cursor moves and the like: a terminal would act on them, a page drops them. Colours (`…m`) stay. */
const CURSOR = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-ln-~]`, 'g')
/** Window titles and links (OSC), ended by BEL or ST. */
const OPERATING_SYSTEM = new RegExp(`${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`, 'g')
/** Escapes that begin no colour sequence. */
const STRAY_ESCAPE = new RegExp(`${ESC}(?!\\[[\\d;:]*m)`, 'g')

const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
const KEPT = new Set(['\t', '\n', ESC])

/** Text from a stranger made plain: what would hide, reorder or move text becomes visible, like `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return text.replace(CONTROLS, (char) => (KEPT.has(char) && char !== ESC ? char : named(char)))
}

/** The same for a log line, whose colour sequences are kept for the ANSI parser. */
export function visibleLogText(line: string): string {
  return line
    .replace(OPERATING_SYSTEM, '')
    .replace(CURSOR, '')
    .replace(STRAY_ESCAPE, '⟨ESC⟩')
    .replace(CONTROLS, (char) => (KEPT.has(char) ? char : named(char)))
}

function named(char: string): string {
  if (char === '\r') return '␍'
  const code = char.codePointAt(0) ?? 0
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
