import { markdownText, type TableCell, toCsv, toMarkdown } from '../text/index.ts'
import type { ComparisonView, PairView } from './comparison.ts'
import { formatArms } from './format-arms.ts'

export const COMPARISON_FORMATS = ['pairs', 'tasks', 'markdown'] as const
export type ComparisonFormat = (typeof COMPARISON_FORMATS)[number]

type Column = { header: string; value: (pair: PairView, names: Names) => TableCell }
type Names = ReadonlyMap<string, string>

const nameOf = (names: Names, rowId: string) => names.get(rowId) ?? rowId
const measured = ({ result }: PairView) => (result.ok ? result : null)

/** The tasks for which the verdict holds; null = no verdict. */
function scopeText(pair: PairView): string | null {
  const result = measured(pair)
  if (result === null || result.verdict.kind === 'cannot-tell') return null
  return result.similar?.isDecided ? 'these and similar tasks' : 'these tasks'
}

/** Rates and differences are in -1 … 1; A minus B. */
const PAIR_COLUMNS: Column[] = [
  { header: 'a', value: ({ a }, names) => nameOf(names, a) },
  { header: 'b', value: ({ b }, names) => nameOf(names, b) },
  { header: 'verdict', value: (pair) => measured(pair)?.verdict.text ?? 'not comparable' },
  { header: 'difference', value: (pair) => measured(pair)?.difference ?? null },
  { header: 'low', value: (pair) => measured(pair)?.low ?? null },
  { header: 'high', value: (pair) => measured(pair)?.high ?? null },
  { header: 'p', value: (pair) => measured(pair)?.p ?? null },
  { header: 'adjusted_p', value: (pair) => measured(pair)?.adjustedP ?? null },
  { header: 'common_tasks', value: ({ common }) => common },
  { header: 'flipped_tasks', value: ({ flipped }) => flipped.length },
  { header: 'claim', value: ({ isClaim }) => (isClaim ? 'yes' : 'no') },
  {
    header: 'method',
    value: ({ result }) => (result.ok ? result.method : result.refusal.reason),
  },
  { header: 'a_row', value: ({ a }) => a },
  { header: 'b_row', value: ({ b }) => b },
]

/** Later columns follow the earlier ones, so that positions stay stable. */
const LATER_COLUMNS: Column[] = [
  { header: 'similar_low', value: (pair) => measured(pair)?.similar?.low ?? null },
  { header: 'similar_high', value: (pair) => measured(pair)?.similar?.high ?? null },
  { header: 'scope', value: scopeText },
]

/** Exports a comparison: its pairs or its tasks as CSV with exact values, or both as Markdown. */
export function exportComparison(
  view: ComparisonView,
  format: ComparisonFormat,
): { name: string; type: 'text/csv' | 'text/markdown'; body: string } {
  const name = `${view.suite.suiteId}-comparison`
  if (format === 'markdown')
    return { name: `${name}.md`, type: 'text/markdown', body: toPage(view) }
  const table = format === 'pairs' ? pairTable(view) : taskTable(view)
  return { name: `${name}-${format}.csv`, type: 'text/csv', body: toCsv(table) }
}

function pairTable({ pairs, rows, multiplicity }: ComparisonView): TableCell[][] {
  const names = new Map(rows.map(({ rowId, name }) => [rowId, name]))
  const head = [
    ...PAIR_COLUMNS.map(({ header }) => header),
    'confidence',
    ...LATER_COLUMNS.map(({ header }) => header),
  ]
  const lines = pairs.map((pair) => [
    ...PAIR_COLUMNS.map(({ value }) => value(pair, names)),
    measured(pair)?.confidence ?? multiplicity.confidence,
    ...LATER_COLUMNS.map(({ value }) => value(pair, names)),
  ])
  return [head, ...lines]
}

/** One column per row: `3 of 5` instead of a fraction, which spreadsheets would read as a date. */
function taskTable({ tasks, rows }: ComparisonView): TableCell[][] {
  return [
    ['task', ...rows.map(({ name }) => name)],
    ...tasks.map(({ taskId, cells }) => [
      taskId,
      ...cells.map((cell) => cell && `${cell.solved} of ${cell.scored}`),
    ]),
  ]
}

function toPage(view: ComparisonView): string {
  const { suite, pairs, multiplicity, standing, notes } = view
  const isClaim = standing.kind === 'claim'
  const reasons = standing.kind === 'claim' ? [standing.text] : standing.reasons
  return [
    `# Comparison on ${plain(`${suite.title} ${suite.version ?? ''}`.trim())}`,
    `Suite version \`${suite.digest}\`.`,
    pairs.map(({ sentence }) => `- ${plain(sentence)}`).join('\n'),
    `${isClaim ? 'Safe to cite' : 'Diagnostic only'}: ${reasons.map(plain).join(' ')}`,
    ...(view.arms
      ? ['## Arms against the baseline', formatArms(view.arms).map(armLine).join('\n')]
      : []),
    [multiplicity.text, ...notes].map(plain).join(' '),
    '## Pairs',
    tableOf(pairTable(view)),
    '## Tasks, solved of scored',
    tableOf(taskTable(view)),
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

/** Lines about an arm are listed below it. */
function armLine(line: string): string {
  const indent = line.startsWith(' ') ? '  ' : ''
  return `${indent}- ${plain(line.trim())}`
}

function tableOf(table: readonly TableCell[][]): string {
  return toMarkdown(table).trimEnd()
}

/** Escapes untrusted text in a line of Markdown. */
function plain(text: string): string {
  return markdownText(text.replace(/\s+/g, ' '), 2000)
}
