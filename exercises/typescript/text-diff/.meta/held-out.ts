import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { diffLines, formatHunks, type Hunk } from '../text-diff.ts'

const LINES = [
  '',
  ' ',
  '-a',
  '+b',
  ' c',
  '\r',
  'é😀',
  '@@ -1 +1 @@',
  '\\ No newline at end of file',
]
const isRangeError = (error: unknown) => error instanceof RangeError

/** Edited texts with one shortest way between them, and others where only its length is certain. */
export const scenario: Scenario = (context) => {
  const { random } = context
  for (let round = 0; round < 90; round++) {
    const old = distinctLines(random, 0, random.pick([2, 12, 40]))
    compareDistinct(context, old, edited(random, old, random.pick([1, 2, 4])))
  }
  compareDistinct(context, distinctLines(random, 15, 40), distinctLines(random, 15, 40))
  const long = distinctLines(random, 500, 900)
  compareDistinct(context, long, edited(random, long, 5))
  for (let round = 0; round < 100; round++) compareRepeated(context)
  for (let round = 0; round < 15; round++) formatAny(context)
  refuseContext(context)
}

/** No line occurs twice in a text, and those that stay keep their order. */
function compareDistinct({ random, attempt }: ScenarioContext, old: string[], now: string[]): void {
  const texts = [textOf(random, old), textOf(random, now)] as const
  const context = random.pick([undefined, 0, 0, 1, 2, 3, 4, 30])
  const hunks = attempt(`context ${context}`, () =>
    context === undefined ? diffLines(...texts) : diffLines(...texts, context),
  )
  if (hunks) attempt('written', () => formatHunks(hunks))
}

/** Lines that occur often: several ways may be equally short. */
function compareRepeated({ random, record }: ScenarioContext): void {
  const size = random.pick([3, 8, 16])
  const some = () => random.list(0, size, () => random.pick(['a', 'b', 'c', '']))
  const old = textOf(random, some())
  const now = random.chance(0.1) ? old : textOf(random, some())
  const context = random.int(0, 5)
  const found = diffLines(old, now, context)
  const lines = found.flatMap((hunk) => hunk.lines)
  record('changes', lines.filter((line) => /^[-+]/.test(line)).length)
  record('leads to the new text', applied(old, found) === now)
  record('removed lines first', found.every(isOrdered))
  record('counted', found.every(isCounted))
}

/** Hunks of any numbers, since the written form does not depend on a comparison. */
function formatAny({ random, attempt }: ScenarioContext): void {
  const number = () => random.pick([0, 1, 1, 2, random.int(3, 2000)])
  const hunks = random.list(0, 3, () => ({
    ...{ oldStart: number(), oldLines: number(), newStart: number(), newLines: number() },
    lines: random.list(0, 3, () => random.pick(['-', '+', ' ']) + random.pick(LINES)),
  }))
  attempt('format', () => formatHunks(hunks))
}

function refuseContext({ random, attempt }: ScenarioContext): void {
  const bad = [-1, -random.int(2, 9), random.int(0, 4) + 0.5, Number.NaN, Number.POSITIVE_INFINITY]
  for (const context of random.shuffle(bad)) {
    const text = random.text('ab\n', 0, 6)
    attempt(`context ${context}`, () => diffLines(text, `${text}x\n`, context), isRangeError)
    attempt(`no change, ${context}`, () => diffLines(text, text, context), isRangeError)
  }
}

function distinctLines(random: Random, least: number, most: number): string[] {
  const first = random.int(0, 99_999)
  return random.list(least, most, (index) => `${random.pick(LINES)} ${first + index}`)
}

/** The lines with some of them taken out or put in, now and then next to each other. */
function edited(random: Random, lines: string[], most: number): string[] {
  const result = [...lines]
  let number = 1_000_000
  for (let left = random.int(0, most); left > 0; left--) {
    const at = random.pick([0, result.length, random.int(0, result.length)])
    const added = random.list(0, 3, () => `${random.pick(LINES)} ${number++}`)
    result.splice(at, random.pick([0, 0, 1, 1, 2, 4]), ...added)
  }
  return result
}

/** A text of these lines; the last of them may do without its newline. */
function textOf(random: Random, lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join('')
  return random.chance(0.3) ? text.slice(0, -1) : text
}

/** What the hunks make of the old text, if they fit it. */
function applied(old: string, hunks: readonly Hunk[]): string {
  const rest = old.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const made: string[] = []
  let taken = 0
  for (const hunk of hunks) {
    const from = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1
    made.push(...rest.splice(0, from - taken))
    const shown = withNewlines(hunk.lines)
    const before = shown.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))
    if (before.join('') !== rest.splice(0, before.length).join('')) return 'does not fit'
    made.push(...shown.filter((line) => !line.startsWith('-')).map((line) => line.slice(1)))
    taken = from + before.length
  }
  return [...made, ...rest].join('')
}

function withNewlines(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    if (line.startsWith('\\')) return []
    return lines[index + 1]?.startsWith('\\') ? line : `${line}\n`
  })
}

function isOrdered({ lines }: Hunk): boolean {
  return !/(^|\n)\+[^\n]*(\n\\[^\n]*)?\n-/.test(lines.join('\n'))
}

function isCounted({ oldLines, newLines, lines }: Hunk): boolean {
  const count = (sign: RegExp) => lines.filter((line) => sign.test(line)).length
  return count(/^[- ]/) === oldLines && count(/^[+ ]/) === newLines
}
