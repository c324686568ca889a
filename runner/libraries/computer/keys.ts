/** Names of keys as models write them (those of xdotool), in lower case, and their DOM names. */
const NAMES: Readonly<Record<string, string>> = {
  return: 'Enter',
  enter: 'Enter',
  kp_enter: 'Enter',
  tab: 'Tab',
  escape: 'Escape',
  esc: 'Escape',
  backspace: 'Backspace',
  delete: 'Delete',
  del: 'Delete',
  space: ' ',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  home: 'Home',
  end: 'End',
  page_up: 'PageUp',
  pageup: 'PageUp',
  page_down: 'PageDown',
  pagedown: 'PageDown',
}

/** The protocol's modifier bits. */
const HELD: Readonly<Record<string, number>> = {
  alt: 1,
  ctrl: 2,
  control: 2,
  meta: 4,
  cmd: 4,
  super: 4,
  shift: 8,
}

/** Editing commands of held keys: key events alone do not trigger them. */
const COMMANDS: Readonly<Record<string, string>> = {
  a: 'selectAll',
  c: 'copy',
  v: 'paste',
  x: 'cut',
  z: 'undo',
}
const CTRL_OR_META = 6

export type KeyPress = { key: string; modifiers: number; commands: string[] }

/** Parses `ctrl+a`, `Return`, or several of them separated by spaces. */
export function parseKeys(words: string): KeyPress[] {
  return words
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const parts = word === '+' ? ['+'] : word.split('+')
      const last = parts.at(-1) ?? ''
      const modifiers = modifiersOf(parts.slice(0, -1).join('+'))
      const key = NAMES[last.toLowerCase()] ?? last
      const command = modifiers & CTRL_OR_META ? COMMANDS[key.toLowerCase()] : undefined
      return { key, modifiers, commands: command === undefined ? [] : [command] }
    })
}

/** Returns the bits of held keys, as `ctrl+shift`; unknown ones are ignored. */
export function modifiersOf(words: string): number {
  return words
    .toLowerCase()
    .split('+')
    .reduce((bits, word) => bits | (HELD[word] ?? 0), 0)
}
