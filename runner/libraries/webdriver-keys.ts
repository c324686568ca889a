/** The keys of WebDriver's keyboard by their DOM names; any other key is its own character. */
const CODES: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
}

/** What WebDriver sends for a key with this DOM name. Throws for a key that it has no name for. */
export function webdriverKey(key: string): string {
  const code = CODES[key] ?? key
  if ([...code].length !== 1) throw new Error(`there is no key “${key}”`)
  return code
}

/** Control and A, then Backspace: empties a field as a user would. WebDriver's own clearing tells a page no input. */
export const EMPTYING_KEYS = '\uE009a\uE000\uE003'
