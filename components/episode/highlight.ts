export type TokenKind = 'comment' | 'string' | 'number' | 'keyword' | 'name'
export type Token = { kind: TokenKind | null; text: string }

/** State at the start of a line; null = plain code. */
export type LineState = 'comment' | 'template' | null

/**
 * Splits a line of TypeScript, JavaScript or JSON into coloured parts, and returns the state of the next line.
 * Approximate: a regular expression with a quotation mark may get wrong colours, but no character is ever changed.
 */
export function highlightLine(
  line: string,
  state: LineState = null,
): { tokens: Token[]; state: LineState } {
  const tokens: Token[] = []
  let at = 0
  let inside = state
  while (at < line.length) {
    const end = inside === null ? null : endOf(line, at, inside)
    if (inside !== null) {
      add(tokens, inside === 'comment' ? 'comment' : 'string', line.slice(at, end ?? undefined))
      if (end === null) return { tokens, state: inside }
      at = end
      inside = null
      continue
    }
    const found = nextToken(line, at)
    add(tokens, found.kind, found.text)
    at += found.text.length
    inside = found.opens
  }
  return { tokens, state: inside }
}

/** End of an open comment or template; null = not on this line. */
function endOf(line: string, at: number, inside: NonNullable<LineState>): number | null {
  const rest = line.slice(at)
  const match = inside === 'comment' ? /\*\//.exec(rest) : /^(?:[^`\\]|\\.)*`/.exec(rest)
  return match ? at + match.index + match[0].length : null
}

const TOKEN =
  /(?<comment>\/\/.*|\/\*)|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(?<template>`)|(?<number>\b\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?n?\b|\b0x[\da-f]+\b)|(?<word>[A-Za-z_$][\w$]*)|(?<rest>[^\w$"'`/]+|.)/iuy

type Found = Token & { opens: LineState }

function nextToken(line: string, at: number): Found {
  TOKEN.lastIndex = at
  const groups = TOKEN.exec(line)?.groups ?? {}
  const { comment, string, template, number, word, rest } = groups
  if (comment !== undefined)
    return { kind: 'comment', text: comment, opens: comment === '/*' ? 'comment' : null }
  if (template !== undefined) return { kind: 'string', text: template, opens: 'template' }
  if (string !== undefined) return { kind: 'string', text: string, opens: null }
  if (number !== undefined) return { kind: 'number', text: number, opens: null }
  if (word !== undefined) return { kind: kindOfWord(word), text: word, opens: null }
  return { kind: null, text: rest ?? line.slice(at), opens: null }
}

const KEYWORDS = new Set(
  'abstract as asserts async await break case catch class const constructor continue declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while yield'.split(
    ' ',
  ),
)

function kindOfWord(word: string): TokenKind | null {
  if (KEYWORDS.has(word)) return 'keyword'
  return /^[A-Z]/.test(word) ? 'name' : null
}

function add(tokens: Token[], kind: Token['kind'], text: string): void {
  const last = tokens.at(-1)
  if (last && last.kind === kind) last.text += text
  else if (text !== '') tokens.push({ kind, text })
}

const HIGHLIGHTED = /\.(?:[cm]?[jt]sx?|json)$/

/** True for file names of these languages. */
export function isHighlighted(path: string): boolean {
  return HIGHLIGHTED.test(path)
}
