import type { Assertion } from '#lib/domain/record/index.ts'
import { withoutColours } from '#lib/domain/text/index.ts'

/** Failed checks with the same error, except for values, positions and times. */
export type ErrorGroup = {
  /** The first check's error in one line. */
  title: string
  /** The first check's complete message. */
  first: string
  failed: Assertion[]
}

/** Groups failed checks by error, the most frequent first; ties stay in the order of the tests. */
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
 * Returns the most informative line without the stack: for jest and vitest, the first line with both values; for other
 * errors, the first line.
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

/** The first expected line of an object diff, and the received line in its place. */
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

/** True if an error compares values, so that the name of its test says more than the message. */
export function isComparison(message: string): boolean {
  return MATCHER.test(head(message)[0] ?? '')
}

/** `expect(received).toBe(expected)`, with or without the error's class before it. */
const MATCHER = /^(?:\w*Error: )?expect\(/

/** `Expected: 4`, `Received: undefined`, and longer labels such as `Expected substring`. */
const VALUE = /^\s*(Expected|Received)(?: [\w ]+)?:\s+(\S.*)$/

/** Removes what differs between reports of one error: stack, positions, values, seeds, times and object diffs. */
export function normaliseError(message: string): string {
  const lines = head(message).filter((line) => !DIFF_LINE.test(line) && !VALUE_LINE.test(line))
  let text = lines.join('\n')
  for (const [pattern, word] of REPLACED) text = text.replace(pattern, word)
  return text.replace(/\s+/g, ' ').trim()
}

/** Lines of an object diff: signed content, the legend, and hunk headers. */
const DIFF_LINE = /^\s*(?:[-+] |@@ |[-+]$)/

/** Values with labels, and the indented lines that jest prints below an object diff. */
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

/** The non-empty lines before the stack. */
function head(message: string): string[] {
  const lines = withoutColours(message).split('\n')
  const stack = lines.findIndex((line) => STACK.test(line))
  return (stack < 0 ? lines : lines.slice(0, stack)).filter((line) => line.trim() !== '')
}

const STACK = /^\s*(?:at (?:.*[(:]|async )|❯ |⎯{3,})/

const cut = (line: string) =>
  line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line.trim()
