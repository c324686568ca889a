export interface GlobOptions {
  dot?: boolean
}

/** A character of a pattern. One that stands behind a backslash is never special. */
interface Char {
  readonly text: string
  readonly special: boolean
}

type Chars = readonly Char[]

/** Something that one character, or one segment, is matched with; or any number of them. */
type Unit<Item> = {
  readonly many: boolean
  readonly accepts: (item: Item) => boolean
}

/** Whether a segment begins with a dot is a question of its own. */
interface SegmentPattern {
  readonly units: readonly Unit<string>[]
  readonly beginsWithDot: boolean
}

export function matchGlob(pattern: string, path: string, options: GlobOptions = {}): boolean {
  return compile(pattern, options.dot ?? false)(path)
}

export function createIgnore(entries: readonly string[]): (path: string) => boolean {
  const rules = entries.flatMap(parseEntry).reverse()
  return (path) => rules.find((rule) => rule.matches(path))?.ignores ?? false
}

// Ignore lists

interface Rule {
  readonly ignores: boolean
  readonly matches: (path: string) => boolean
}

function parseEntry(entry: string): Rule[] {
  if (entry.startsWith('#')) return []
  const ignores = !entry.startsWith('!')
  const text = ignores ? entry : entry.slice(1)
  const directoriesOnly = text.endsWith('/')
  const body = directoriesOnly ? text.slice(0, -1) : text
  if (body === '') return []

  const matches = compile(body.startsWith('/') ? body.slice(1) : body, true)
  const compared = body.includes('/') ? (path: string): string => path : lastName
  return [
    {
      ignores,
      matches: (path) => {
        const candidates = directoriesOnly ? directoriesOf(path) : [...directoriesOf(path), path]
        return candidates.some((candidate) => matches(compared(candidate)))
      },
    },
  ]
}

function directoriesOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

// Patterns

function compile(pattern: string, dot: boolean): (path: string) => boolean {
  const alternatives = expandGroups(readChars(pattern)).map((chars) =>
    splitSegments(chars).map((segment) => segmentUnit(segment, dot)),
  )
  return (path) => {
    const names = path.split('/')
    return alternatives.some((units) => matchUnits(units, names))
  }
}

function segmentUnit(chars: Chars, dot: boolean): Unit<string> {
  if (chars.length === 2 && chars.every((char) => isSpecial(char, '*'))) {
    return { many: true, accepts: (name) => dot || !name.startsWith('.') }
  }
  const { units, beginsWithDot } = parseSegment(chars)
  return {
    many: false,
    accepts: (name) =>
      (dot || beginsWithDot || !name.startsWith('.')) && matchUnits(units, Array.from(name)),
  }
}

/**
 * Follows all ways through the units at once: `reached[i]` tells whether the items so far can be
 * matched by the units before `i`.
 */
function matchUnits<Item>(units: readonly Unit<Item>[], items: readonly Item[]): boolean {
  const skipMany = (reached: boolean[]): boolean[] => {
    units.forEach(({ many }, i) => {
      if (many && reached[i]) reached[i + 1] = true
    })
    return reached
  }
  const start = skipMany([true, ...units.map(() => false)])
  const end = items.reduce<boolean[]>((reached, item) => {
    const next = reached.map(() => false)
    units.forEach(({ many, accepts }, i) => {
      if (reached[i] && accepts(item)) next[many ? i : i + 1] = true
    })
    return skipMany(next)
  }, start)
  return end[units.length]
}

// Characters

function isSpecial(char: Char | undefined, text: string): boolean {
  return char !== undefined && char.special && char.text === text
}

/** Resolves the backslashes. One at the end of a segment is a character like any other. */
function readChars(pattern: string): Chars {
  const parts = pattern.match(/\\[^/]|[^]/gu) ?? []
  return parts.map((part) =>
    part.length > 1 && part.startsWith('\\')
      ? { text: part.slice(1), special: false }
      : { text: part, special: part !== '\\' },
  )
}

function splitSegments(chars: Chars): Chars[] {
  const slashes = [...chars.keys()].filter((index) => chars[index].text === '/')
  const begins = [0, ...slashes.map((index) => index + 1)]
  return begins.map((begin, i) => chars.slice(begin, slashes[i] ?? chars.length))
}

// Groups

interface Group {
  readonly open: number
  readonly close: number
  /** The indexes of the commas of its own. */
  readonly commas: readonly number[]
}

/** The groups that are closed and have a comma, by the index of their brace. */
function findGroups(chars: Chars): ReadonlyMap<number, Group> {
  const groups = new Map<number, Group>()
  const openGroups: { open: number; commas: number[] }[] = []
  chars.forEach((char, index) => {
    if (isSpecial(char, '{')) openGroups.push({ open: index, commas: [] })
    if (isSpecial(char, ',')) openGroups.at(-1)?.commas.push(index)
    if (isSpecial(char, '}')) {
      const group = openGroups.pop()
      if (group && group.commas.length > 0) groups.set(group.open, { ...group, close: index })
    }
  })
  return groups
}

function expandGroups(chars: Chars): Chars[] {
  const groups = findGroups(chars)

  /** All that the characters from `begin` to before `end` can stand for. */
  const expand = (begin: number, end: number): Chars[] => {
    const open = [...groups.keys()]
      .filter((index) => begin <= index && index < end)
      .reduce((first, index) => Math.min(first, index), end)
    const plain = chars.slice(begin, open)
    const group = groups.get(open)
    if (open === end || group === undefined) return [plain]

    const bounds = [group.open, ...group.commas, group.close]
    const alternatives = bounds
      .slice(1)
      .flatMap((bound, i) => expand(bounds[i] + 1, bound))
    const rests = expand(group.close + 1, end)
    return alternatives.flatMap((alternative) =>
      rests.map((rest) => [...plain, ...alternative, ...rest]),
    )
  }

  return expand(0, chars.length)
}

// Segments

function parseSegment(chars: Chars): SegmentPattern {
  const units: Unit<string>[] = []
  for (let index = 0; index < chars.length; ) {
    const [unit, next] = parseUnit(chars, index)
    units.push(unit)
    index = next
  }
  return { units, beginsWithDot: chars[0]?.text === '.' }
}

function parseUnit(chars: Chars, index: number): [unit: Unit<string>, next: number] {
  const char = chars[index]
  if (isSpecial(char, '*')) return [{ many: true, accepts: () => true }, index + 1]
  if (isSpecial(char, '?')) return [{ many: false, accepts: () => true }, index + 1]
  const close = isSpecial(char, '[') ? closeOfClass(chars, index) : -1
  return close < 0
    ? [{ many: false, accepts: (name) => name === char.text }, index + 1]
    : [{ many: false, accepts: parseClass(chars.slice(index + 1, close)) }, close + 1]
}

/** A bracket that comes first, possibly after the `!`, does not close the class. */
function closeOfClass(chars: Chars, open: number): number {
  const first = isSpecial(chars[open + 1], '!') ? open + 2 : open + 1
  return chars.findIndex((char, index) => index > first && isSpecial(char, ']'))
}

function parseClass(chars: Chars): (char: string) => boolean {
  const negated = isSpecial(chars[0], '!')
  const ranges = parseRanges(negated ? chars.slice(1) : chars)
  return (char) => {
    const point = codePoint(char)
    return ranges.some(([from, to]) => from <= point && point <= to) !== negated
  }
}

function parseRanges(members: Chars): [from: number, to: number][] {
  if (members.length === 0) return []
  const [first, dash, last] = members
  const from = codePoint(first.text)
  return isSpecial(dash, '-') && last !== undefined
    ? [[from, codePoint(last.text)], ...parseRanges(members.slice(3))]
    : [[from, from], ...parseRanges(members.slice(1))]
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? NaN
}
