export interface GlobOptions {
  dot?: boolean
}

// ---------------------------------------------------------------------------------------------
// Groups

/** A text with groups: every part is a piece of text or a list of alternatives. */
type Part = string | Part[][]

interface Group {
  readonly end: number
  readonly commas: readonly number[]
}

/** The groups by the position of their `{`. */
function findGroups(pattern: string): Map<number, Group> {
  const specials: number[] = []
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++
    else if ('{,}'.includes(pattern[i]!)) specials.push(i)
  }

  // First find out which braces belong together: one that is never closed must not take the commas
  // of the group around it.
  const closing = new Map<number, number>()
  const opened: number[] = []
  for (const i of specials) {
    if (pattern[i] === '{') opened.push(i)
    if (pattern[i] === '}') {
      const start = opened.pop()
      if (start !== undefined) closing.set(start, i)
    }
  }

  const groups = new Map<number, Group>()
  const around: { start: number; end: number; commas: number[] }[] = []
  for (const i of specials) {
    const innermost = around.at(-1)
    const end = closing.get(i)
    if (end !== undefined) {
      around.push({ start: i, end, commas: [] })
    } else if (pattern[i] === ',') {
      innermost?.commas.push(i)
    } else if (innermost?.end === i) {
      around.pop()
      if (innermost.commas.length > 0) groups.set(innermost.start, innermost)
    }
  }
  return groups
}

function parseGroups(pattern: string): Part[] {
  const groups = findGroups(pattern)

  const parse = (start: number, end: number): Part[] => {
    const parts: Part[] = []
    let textStart = start
    let i = start
    while (i < end) {
      const group = pattern[i] === '{' ? groups.get(i) : undefined
      if (group === undefined) {
        i += pattern[i] === '\\' ? 2 : 1
        continue
      }
      parts.push(pattern.slice(textStart, i))
      const borders = [i, ...group.commas, group.end]
      parts.push(borders.slice(1).map((border, n) => parse(borders[n]! + 1, border)))
      i = textStart = group.end + 1
    }
    parts.push(pattern.slice(textStart, end))
    return parts
  }

  return parse(0, pattern.length)
}

function expand(parts: readonly Part[]): string[] {
  let results = ['']
  for (const part of parts) {
    const choices = typeof part === 'string' ? [part] : part.flatMap(expand)
    results = results.flatMap((result) => choices.map((choice) => result + choice))
  }
  return results
}

// ---------------------------------------------------------------------------------------------
// Segments

type Token =
  | { readonly kind: 'literal'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | {
      readonly kind: 'class'
      readonly negated: boolean
      readonly ranges: readonly (readonly [first: number, last: number])[]
    }

type Segment = readonly Token[] | 'globstar'

interface ClassAndEnd {
  readonly token: Token
  readonly end: number
}

/** Reads the class after the `[` at `start`; null if it has no end. */
function parseClass(chars: readonly string[], start: number): ClassAndEnd | null {
  let i = start + 1
  const negated = chars[i] === '!'
  if (negated) i++

  const members: { code: number; isDash: boolean }[] = []
  for (let first = true; ; first = false) {
    let char = chars[i]
    if (char === undefined) return null
    if (char === ']' && !first) break
    let escaped = false
    if (char === '\\' && chars[i + 1] !== undefined) {
      escaped = true
      char = chars[++i]!
    }
    members.push({ code: char.codePointAt(0)!, isDash: char === '-' && !escaped })
    i++
  }

  const ranges: [number, number][] = []
  for (let n = 0; n < members.length; n++) {
    const { code } = members[n]!
    const last = members[n + 2]
    if (members[n + 1]?.isDash && last !== undefined) {
      ranges.push([code, last.code])
      n += 2
    } else {
      ranges.push([code, code])
    }
  }
  return { token: { kind: 'class', negated, ranges }, end: i }
}

function parseSegment(text: string): Segment {
  if (text === '**') return 'globstar'
  const chars = Array.from(text)
  const tokens: Token[] = []
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    if (char === '?') tokens.push({ kind: 'any' })
    else if (char === '*') tokens.push({ kind: 'star' })
    else if (char === '\\' && i + 1 < chars.length) {
      tokens.push({ kind: 'literal', char: chars[++i]! })
    } else {
      const found = char === '[' ? parseClass(chars, i) : null
      if (found === null) {
        tokens.push({ kind: 'literal', char })
      } else {
        tokens.push(found.token)
        i = found.end
      }
    }
  }
  return tokens
}

function matchesChar(token: Token, char: string): boolean {
  switch (token.kind) {
    case 'literal':
      return token.char === char
    case 'any':
      return true
    case 'star':
      return false
    case 'class': {
      const code = char.codePointAt(0)!
      return token.ranges.some(([first, last]) => first <= code && code <= last) !== token.negated
    }
  }
}

function matchesSegment(tokens: readonly Token[], name: string, dot: boolean): boolean {
  const first = tokens[0]
  if (!dot && name.startsWith('.') && !(first?.kind === 'literal' && first.char === '.')) {
    return false
  }
  const chars = Array.from(name)
  let t = 0
  let c = 0
  // Where to go on if the last star has to take one character more.
  let retryToken = -1
  let retryChar = -1
  while (c < chars.length) {
    const token = tokens[t]
    if (token?.kind === 'star') {
      retryToken = ++t
      retryChar = c
    } else if (token !== undefined && matchesChar(token, chars[c]!)) {
      t++
      c++
    } else if (retryToken >= 0) {
      t = retryToken
      c = ++retryChar
    } else {
      return false
    }
  }
  while (tokens[t]?.kind === 'star') t++
  return t === tokens.length
}

function matchesSegments(
  segments: readonly Segment[],
  names: readonly string[],
  dot: boolean,
): boolean {
  // reached[n]: the segments so far match the first n names.
  let reached = names.map(() => false)
  reached.unshift(true)
  for (const segment of segments) {
    const next = reached.map(() => false)
    for (let n = 0; n <= names.length; n++) {
      if (segment === 'globstar') {
        const passes = n > 0 && next[n - 1]! && (dot || !names[n - 1]!.startsWith('.'))
        next[n] = reached[n]! || passes
      } else {
        next[n] = n > 0 && reached[n - 1]! && matchesSegment(segment, names[n - 1]!, dot)
      }
    }
    reached = next
  }
  return reached[names.length]!
}

function compile(pattern: string, dot: boolean): (path: string) => boolean {
  const alternatives = [...new Set(expand(parseGroups(pattern)))].map((alternative) =>
    alternative.split('/').map(parseSegment),
  )
  return (path) => {
    const names = path.split('/')
    return alternatives.some((segments) => matchesSegments(segments, names, dot))
  }
}

export function matchGlob(pattern: string, path: string, options: GlobOptions = {}): boolean {
  return compile(pattern, options.dot ?? false)(path)
}

// ---------------------------------------------------------------------------------------------
// Ignore lists

interface Rule {
  readonly ignored: boolean
  readonly directoriesOnly: boolean
  readonly anchored: boolean
  readonly matches: (path: string) => boolean
}

function parseEntry(entry: string): Rule | null {
  if (entry === '' || entry.startsWith('#')) return null
  let pattern = entry
  const ignored = !pattern.startsWith('!')
  if (!ignored) pattern = pattern.slice(1)
  const directoriesOnly = pattern.endsWith('/')
  if (directoriesOnly) pattern = pattern.slice(0, -1)
  const anchored = pattern.includes('/')
  if (pattern.startsWith('/')) pattern = pattern.slice(1)
  if (pattern === '') return null
  return { ignored, directoriesOnly, anchored, matches: compile(pattern, true) }
}

export function createIgnore(entries: readonly string[]): (path: string) => boolean {
  const rules = entries
    .map(parseEntry)
    .filter((rule) => rule !== null)
    .reverse()

  return (path) => {
    const names = path.split('/')
    const places = names.map((name, index) => ({
      name,
      whole: names.slice(0, index + 1).join('/'),
      isDirectory: index < names.length - 1,
    }))
    const decisive = rules.find((rule) =>
      places.some(
        ({ name, whole, isDirectory }) =>
          (isDirectory || !rule.directoriesOnly) && rule.matches(rule.anchored ? whole : name),
      ),
    )
    return decisive?.ignored ?? false
  }
}
