export interface GlobOptions {
  dot?: boolean
}

type Token =
  | { kind: 'literal'; char: string }
  | { kind: 'one' }
  | { kind: 'run' }
  | { kind: 'set'; negated: boolean; ranges: [low: number, high: number][] }

type SegmentPattern = { kind: 'globstar' } | { kind: 'name'; tokens: Token[] }

type Matcher = (segments: readonly string[], dot: boolean) => boolean

export function matchGlob(pattern: string, path: string, options: GlobOptions = {}): boolean {
  return compile(pattern)(path.split('/'), options.dot ?? false)
}

export function createIgnore(entries: readonly string[]): (path: string) => boolean {
  const latestFirst = entries.flatMap(compileRule).reverse()
  return (path) => {
    const segments = path.split('/')
    return latestFirst.find((rule) => rule.matches(segments))?.ignores ?? false
  }
}

interface Rule {
  ignores: boolean
  matches: (segments: readonly string[]) => boolean
}

function compileRule(entry: string): Rule[] {
  if (entry.startsWith('#')) return []
  const ignores = !entry.startsWith('!')
  let pattern = ignores ? entry : entry.slice(1)
  const directoriesOnly = pattern.endsWith('/')
  if (directoriesOnly) pattern = pattern.slice(0, -1)
  if (pattern === '' && !directoriesOnly) return []

  const rooted = pattern.includes('/')
  // Everything lies below the root.
  const isRoot = pattern === ''
  const matcher = isRoot
    ? () => true
    : compile(pattern.startsWith('/') ? pattern.slice(1) : pattern)
  return [
    {
      ignores,
      matches: (segments) => {
        const last = directoriesOnly ? segments.length - 1 : segments.length
        for (let end = 1; end <= last; end++) {
          if (matcher(segments.slice(rooted ? 0 : end - 1, end), true)) return true
        }
        return false
      },
    },
  ]
}

function compile(pattern: string): Matcher {
  const alternatives = expandBraces(pattern).map((text) => text.split('/').map(parseSegment))
  return (segments, dot) => alternatives.some((parts) => matchSegments(parts, segments, dot))
}

/** All texts that a pattern stands for; braces that are left are ordinary characters. */
function expandBraces(text: string): string[] {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') {
      at++
      continue
    }
    const group = text[at] === '{' ? readGroup(text, at) : undefined
    if (!group) continue
    const head = text.slice(0, at)
    const tails = expandBraces(text.slice(group.end))
    return group.alternatives
      .flatMap(expandBraces)
      .flatMap((middle) => tails.map((tail) => head + middle + tail))
  }
  return [text]
}

function readGroup(text: string, open: number) {
  const alternatives: string[] = []
  let start = open + 1
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '{') depth++
    else if (char === ',' && depth === 1) {
      alternatives.push(text.slice(start, at))
      start = at + 1
    } else if (char === '}' && --depth === 0) {
      alternatives.push(text.slice(start, at))
      return alternatives.length > 1 ? { alternatives, end: at + 1 } : undefined
    }
  }
  return undefined
}

function parseSegment(text: string): SegmentPattern {
  if (text === '**') return { kind: 'globstar' }
  const chars = Array.from(text)
  const tokens: Token[] = []
  let at = 0
  while (at < chars.length) {
    const char = chars[at]
    const set = char === '[' ? readSet(chars, at) : undefined
    if (set) {
      tokens.push(set.token)
      at = set.end
    } else if (char === '\\' && at + 1 < chars.length) {
      tokens.push({ kind: 'literal', char: chars[at + 1] })
      at += 2
    } else {
      if (char === '?') tokens.push({ kind: 'one' })
      else if (char === '*') tokens.push({ kind: 'run' })
      else tokens.push({ kind: 'literal', char })
      at++
    }
  }
  return { kind: 'name', tokens }
}

function readSet(chars: string[], open: number): { token: Token; end: number } | undefined {
  const negated = chars[open + 1] === '!'
  const first = open + (negated ? 2 : 1)
  const ranges: [number, number][] = []
  let at = first

  const readMember = (): number => {
    if (chars[at] === '\\' && at + 1 < chars.length) at++
    return chars[at++].codePointAt(0)!
  }

  while (at < chars.length) {
    if (chars[at] === ']' && at > first) {
      return { token: { kind: 'set', negated, ranges }, end: at + 1 }
    }
    const low = readMember()
    let high = low
    if (chars[at] === '-' && at + 1 < chars.length && chars[at + 1] !== ']') {
      at++
      high = readMember()
    }
    ranges.push([low, high])
  }
  return undefined
}

function matchSegments(
  parts: readonly SegmentPattern[],
  segments: readonly string[],
  dot: boolean,
): boolean {
  const matchFrom = (part: number, segment: number): boolean => {
    if (part === parts.length) return segment === segments.length
    const pattern = parts[part]
    if (pattern.kind === 'globstar') {
      if (matchFrom(part + 1, segment)) return true
      const mayPass = segment < segments.length && (dot || !segments[segment].startsWith('.'))
      return mayPass && matchFrom(part, segment + 1)
    }
    if (segment === segments.length || !matchName(pattern.tokens, segments[segment], dot)) {
      return false
    }
    return matchFrom(part + 1, segment + 1)
  }
  return matchFrom(0, 0)
}

function matchName(tokens: readonly Token[], name: string, dot: boolean): boolean {
  if (!dot && name.startsWith('.')) {
    const first = tokens.at(0)
    if (first?.kind !== 'literal' || first.char !== '.') return false
  }
  const chars = Array.from(name)
  let token = 0
  let at = 0
  // Where to go back to: the latest `*`, and how far it reaches so far.
  let run: { token: number; end: number } | undefined
  while (at < chars.length || token < tokens.length) {
    const current = tokens.at(token)
    if (current?.kind === 'run') {
      run = { token, end: at }
      token++
    } else if (current && at < chars.length && matchChar(current, chars[at])) {
      token++
      at++
    } else if (run && run.end < chars.length) {
      run.end++
      at = run.end
      token = run.token + 1
    } else {
      return false
    }
  }
  return true
}

function matchChar(token: Token, char: string): boolean {
  if (token.kind === 'literal') return token.char === char
  if (token.kind !== 'set') return true
  const code = char.codePointAt(0)!
  return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated
}
