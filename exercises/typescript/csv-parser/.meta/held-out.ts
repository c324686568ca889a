import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { CsvError, type CsvOptions, parseCsv } from '../csv-parser.ts'

const BREAKS = ['\n', '\r\n', '\r']
const MARK = '\uFEFF'
const DELIMITERS = [',', ';', '\t', '|', ' ', '.', '^', '$', '*', '\\', 'x', '\u00e9']
const PIECES = ['a', 'b', '1', ' ', 'é', '😀', ',', ';', '.', "'", '\t', MARK, '\\n', '-']
const NAMES = ['a', 'b', 'A', ' a', '', '1', '__proto__', 'constructor', 'toString', 'é', '😀']

function describe(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error instanceof RangeError && 'RangeError'
  const { code, line, column, message } = error
  return [code, line, column, message.endsWith(`(line ${line}, column ${column})`)]
}

/** Well-formed texts, texts with one thing spoilt, and mere noise, with and without a header. */
export const scenario: Scenario = (context) => {
  const { random, attempt } = context
  for (let round = 0; round < 110; round++) {
    const delimiter = random.chance(0.6) ? ',' : random.pick(DELIMITERS)
    const header = random.chance(0.5)
    const text = wellFormed(random, delimiter, header)
    read(context, text, delimiter, header)
    for (let times = 0; times < 2; times++) read(context, spoil(random, text), delimiter, header)
  }
  for (let round = 0; round < 150; round++) {
    const noise = random.text(random.pick(['"a,\n', '",\r\n', 'a"\r\n,', `"a${MARK},\n`]), 0, 14)
    read(context, noise, ',', random.chance(0.5))
  }
  for (const delimiter of ['', '"', '\r', '\n', '\r\n', '😀', ',,', random.text('ab;|', 2, 4)]) {
    const text = random.text('a,b;', 0, 5)
    attempt(`delimiter ${JSON.stringify(delimiter)}`, () => parseCsv(text, { delimiter }), describe)
  }
}

function read(
  { random, attempt }: ScenarioContext,
  text: string,
  delimiter: string,
  header: boolean,
) {
  const options: CsvOptions = {
    ...((delimiter !== ',' || random.chance(0.2)) && { delimiter }),
    ...((header || random.chance(0.2)) && { header }),
  }
  const label = `${JSON.stringify(text)} ${delimiter} ${header}`
  if (header) {
    attempt(label, () => parseCsv(text, { ...options, header: true }), describe)
  } else if (Object.keys(options).length === 0) {
    attempt(label, () => parseCsv(text), describe)
  } else {
    attempt(label, () => parseCsv(text, { ...options, header: false }), describe)
  }
}

function wellFormed(random: Random, delimiter: string, header: boolean): string {
  const columns = random.int(1, 5)
  const lines: string[] = header ? [headerLine(random, delimiter, columns)] : []
  for (let rest = random.int(0, 5); rest > 0; rest--) {
    const isOdd = random.chance(header ? 0.1 : 0.5)
    const count = isOdd ? random.int(1, 6) : columns
    if (random.chance(0.15)) lines.push('')
    lines.push(random.list(count, count, () => field(random, delimiter)).join(delimiter))
  }
  if (random.chance(0.1)) lines.unshift('')
  const breaks = random.chance(0.5) ? [random.pick(BREAKS)] : BREAKS
  const text = lines.map((line) => line + random.pick(breaks)).join('')
  const whole = random.chance(0.5) ? text : text.replace(/(\r\n|\r|\n)$/, '')
  return (random.chance(0.2) ? MARK : '') + whole
}

function headerLine(random: Random, delimiter: string, columns: number): string {
  const names = random.shuffle(NAMES).slice(0, columns)
  if (random.chance(0.15)) names.push(names[0] ?? '')
  return random
    .shuffle(names)
    .map((name) => (random.chance(0.4) || name.includes(delimiter) ? `"${name}"` : name))
    .join(delimiter)
}

/** Written as it is, or in quotes. */
function field(random: Random, delimiter: string): string {
  const pieces = random.list(0, 4, () => random.pick([...PIECES, delimiter]))
  if (random.chance(0.5)) return pieces.filter((piece) => piece !== delimiter).join('')
  const inside = [...pieces, ...random.list(0, 2, () => random.pick(['""', ...BREAKS]))]
  return `"${random.shuffle(inside).join('')}"`
}

/** Puts something in, takes something out, or cuts the rest off, at any place. */
function spoil(random: Random, text: string): string {
  const at = random.int(0, text.length)
  const piece = random.pick(['"', '"', '"', ',', '\n', '\r', 'z', ' ', MARK])
  if (random.chance(0.6)) return text.slice(0, at) + piece + text.slice(at)
  return text.slice(0, at) + (random.chance(0.3) ? '' : text.slice(at + 1))
}
