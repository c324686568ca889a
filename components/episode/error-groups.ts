import { type Assertion, withoutColours } from '#lib/domain/record/index.ts'

/** Failed checks with the same error, apart from values, places and times. */
export type ErrorGroup = {
  /** The error in one line, as the first check reports it. */
  title: string
  /** The whole text of the first check. */
  first: string
  failed: Assertion[]
}

/** Groups failed checks by error, the most frequent first; equally frequent ones stay in the order of the tests. */
export function groupErrors(checks: readonly Assertion[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>()
  for (const check of checks) {
    if (check.verdict === 'pass') continue
    const key = `${check.kind} ${normaliseError(check.observed)}`
    const group = groups.get(key)
    if (group) group.failed.push(check)
    else
      groups.set(key, {
        title: errorTitle(check.observed),
        first: withoutColours(check.observed),
        failed: [check],
      })
  }
  return [...groups.values()].sort((a, b) => b.failed.length - a.failed.length)
}

const MAX_TITLE = 240

/**
 * The line that says what went wrong: of a jest or vitest message its first one and both values, of any other error its
 * first line. A stack is never part of it.
 */
export function errorTitle(message: string): string {
  const lines = head(message)
  const first = lines[0] ?? ''
  if (!MATCHER.test(first)) return cut(first)
  const values = lines.flatMap((line) => VALUE.exec(line)?.slice(1, 3) ?? [])
  const [label, expected, other, received] = values
  if (label === undefined || received === undefined) return cut(excerpt(lines) ?? first)
  return cut(`expected ${expected}, ${other === 'Received' ? 'received' : 'got'} ${received}`)
}

/** The first line that an object diff expects, and the first one that it received instead. */
function excerpt(lines: readonly string[]): string | null {
  const changed = lines.filter((line) => CHANGED.test(line) && !LEGEND.test(line))
  const content = (sign: '-' | '+') =>
    changed
      .find((line) => line.startsWith(sign))
      ?.slice(1)
      .trim()
      .replace(/,$/, '')
  const [expected, received] = [content('-'), content('+')]
  if (expected === undefined && received === undefined) return null
  if (received === undefined) return `expected … ${expected} …, received without it`
  if (expected === undefined) return `received … ${received} …, which is not expected`
  return `expected … ${expected} …, received … ${received} …`
}

const CHANGED = /^[-+] \s*\S/
const LEGEND = /^[-+] (?:Expected|Received)\s+[-+] \d+$/

/** Whether an error compares values, so that the name of its test says more than its words. */
export function isComparison(message: string): boolean {
  return MATCHER.test(head(message)[0] ?? '')
}

/** `expect(received).toBe(expected)`, with or without the error's class before it. */
const MATCHER = /^(?:\w*Error: )?expect\(/

/** `Expected: 4`, `Received: undefined`, and the longer labels `Expected substring`, `Received string`. */
const VALUE = /^\s*(Expected|Received)(?: [\w ]+)?:\s+(\S.*)$/

/** What two reports of one error share: without stack, places, values, seeds, times and the lines of an object diff. */
export function normaliseError(message: string): string {
  const lines = head(message).filter((line) => !DIFF_LINE.test(line) && !VALUE_LINE.test(line))
  let text = lines.join('\n')
  for (const [pattern, word] of REPLACED) text = text.replace(pattern, word)
  return text.replace(/\s+/g, ' ').trim()
}

/** Lines of an object diff: their sign, then their content; the legend; the marks of hunks. */
const DIFF_LINE = /^\s*(?:[-+] |@@ |[-+]$)/

/** Values beside their labels; and what jest prints below an object diff, indented and without a sign. */
const VALUE_LINE =
  /^\s*(?:(?:Expected|Received|Difference|Number of (?:calls|returns))\b.*:|[[\]{}()]|"[^"]*":|(?:Array|Object|Map|Set) [[{])/

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:file|node|https?):\/{0,2}[^\s)'"]+/g, 'PLACE'],
  [/(?:[A-Za-z]:)?(?:\.{0,2}[\\/])?(?:[\w@.-]+[\\/])+[\w@.-]+(?::\d+){0,2}/g, 'PLACE'],
  [/\b[\w-]+\.[cm]?[jt]sx?(?::\d+){0,2}\b/g, 'PLACE'],
  [/\bline \d+(?:,? col(?:umn)? \d+)?/gi, 'PLACE'],
  [/\bseed\W{0,3}[\w-]+/gi, 'SEED'],
  [/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|“[^”\n]*”/g, 'TEXT'],
  [/\b0x[\da-f]+\b|\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b|\b[\da-f]{12,}\b/gi, 'ID'],
  [/-?\b\d[\d_,.]*(?:e[-+]?\d+)?\s?(?:ms|µs|s|min)\b/g, 'TIME'],
  [/-?\b\d[\d_,.]*(?:e[-+]?\d+)?n?\b/g, 'N'],
]

/** The lines before the stack, without the empty ones. */
function head(message: string): string[] {
  const lines = withoutColours(message).split('\n')
  const stack = lines.findIndex((line) => STACK.test(line))
  return (stack < 0 ? lines : lines.slice(0, stack)).filter((line) => line.trim() !== '')
}

const STACK = /^\s*(?:at (?:.*[(:]|async )|❯ |⎯{3,})/

const cut = (line: string) =>
  line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line.trim()
