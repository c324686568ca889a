import { plainText } from '../text/index.ts'
import type { ChangeReport } from './change-report.ts'
import { describeChangedPair, levelText, type PairTexts, VERDICT_WORDS } from './describe-pair.ts'

type Look = { columns: number; isColoured: boolean }

const CODES: Readonly<Record<ChangeReport['verdict'], string>> = {
  better: '32',
  worse: '31',
  'no-larger-than': '36',
  'cannot-tell': '33',
  'not-comparable': '33',
}

/** Formats a comparison for a terminal: no line exceeds its width, and colours only repeat the words. */
export function changeTerminal(report: ChangeReport, look: Look): string {
  const { pairs, unmatched, baseline, candidate } = report
  const parts = pairs.map((pair) => {
    if (pair.ok) return pairLines(describeChangedPair(pair), levelText(pair), look)
    const title = `${pair.candidate} against ${pair.baseline}`
    return [
      headline('not-comparable', title, look),
      ...wrap(`${pair.reason} ${pair.remedy}`, look.columns, '  '),
    ].join('\n')
  })
  const left = [
    ...unmatched.baseline.map((entry) => `Only in ${baseline.name}: ${entry}.`),
    ...unmatched.candidate.map((entry) => `Only in ${candidate.name}: ${entry}.`),
  ]
  return [...parts, ...left.map((line) => wrap(line, look.columns, '').join('\n'))].join('\n\n')
}

function pairLines(texts: PairTexts, level: string, look: Look): string {
  const { verdict, title, sentence, table, flips, standing, notes, decide } = texts
  const sections = [
    [headline(verdict, title, look), ...wrap(sentence, look.columns, '  ')],
    stacked(table, look),
    flips.length > 0
      ? [
          `Tasks where the majority outcome differs (${flips.length}), solved before and after:`,
          ...columns(flips, look.columns),
        ]
      : [],
    [
      ...wrap(level, look.columns, ''),
      ...(decide === null ? [] : wrap(decide, look.columns, '')),
      ...standing.flatMap((line) => wrap(line, look.columns, '')),
      ...notes.flatMap((line) => wrap(line, look.columns, '')),
    ],
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function headline(
  verdict: ChangeReport['verdict'],
  title: string,
  { columns: width, isColoured }: Look,
): string {
  const word = VERDICT_WORDS[verdict].toUpperCase()
  const shown = isColoured ? `\u001B[1;${CODES[verdict]}m${word}\u001B[0m` : word
  const [first = '', ...rest] = wrap(title, width - word.length - 2, '')
  return [`${shown}  ${first}`, ...rest].join('\n')
}

/** Longer names are cut in column headings; the headline has the full name. */
const MAX_NAME_CHARS = 19

/** Prints columns where the width allows, else one line for each value. */
function stacked(table: readonly string[][], { columns: width }: Look): string[] {
  const [names = [], ...body] = table
  const lines = columns(
    [names.map((name) => cut(name, MAX_NAME_CHARS)), ...body],
    Number.POSITIVE_INFINITY,
  )
  if (lines.every((line) => [...line].length <= width)) return lines
  return body.flatMap(([what = '', ...values]) => {
    const shown = values.flatMap((value, index) =>
      value === '' ? [] : wrap(`${names[index + 1]}: ${value}`, width, '  '),
    )
    return [what, ...shown]
  })
}

/** Aligns columns; the first is cut where they do not fit. */
function columns(rows: readonly string[][], width: number): string[] {
  const clean = rows.map((cells) => cells.map(plainText))
  const count = Math.max(...clean.map((cells) => cells.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...clean.map((cells) => [...(cells[column] ?? '')].length)),
  )
  const others = widths.slice(1).reduce((sum, one) => sum + one + 2, 2)
  const first = Math.min(widths[0] ?? 0, Math.max(8, width - others))
  return clean.map((cells) =>
    cells
      .map((cell, column) =>
        pad(
          cut(cell, column === 0 ? first : Number.POSITIVE_INFINITY),
          column === 0 ? first : (widths[column] ?? 0),
        ),
      )
      .join('  ')
      .trimEnd(),
  )
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length))
}

function cut(text: string, width: number): string {
  const letters = [...text]
  return letters.length <= width ? text : `${letters.slice(0, width - 1).join('')}…`
}

/** Wraps words at this width; longer words are broken. */
function wrap(text: string, width: number, indent: string): string[] {
  const room = Math.max(10, width - indent.length)
  const lines: string[] = []
  let line = ''
  for (const word of plainText(text)
    .split(' ')
    .flatMap((one) => chunks(one, room))) {
    if (line !== '' && [...line].length + 1 + [...word].length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((one) => `${indent}${one}`)
}

function chunks(word: string, room: number): string[] {
  const letters = [...word]
  const parts = Math.max(1, Math.ceil(letters.length / room))
  return Array.from({ length: parts }, (_, at) =>
    letters.slice(at * room, (at + 1) * room).join(''),
  )
}
