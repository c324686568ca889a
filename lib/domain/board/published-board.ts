import { subjectLabel } from '../record/index.ts'
import { formatCost, markdownText, type TableCell } from '../text/index.ts'
import { formatBadgeRate, formatTier } from './badge.ts'
import type { Board, BoardRow } from './board-row.ts'
import { rowNotices } from './row-notices.ts'
import { formatRank, formatSamples } from './row-words.ts'

// A board as files that need no server: the same bytes for the same results, whenever they are written.

const HEAD = [
  'Rank',
  'Entry',
  'Success (95 % CI)',
  'Tasks × repetitions',
  'Cost per success',
  'Evidence',
]

const BASIS =
  'Computed from result files without a server. Registration of plans and evaluation of solutions by another machine were not checked.'

/** Formats every board as Markdown, one table each: for a README or a separate page. */
export function publishedMarkdown(boards: readonly Board[]): string {
  const parts = boards.map((board) => {
    const rows = board.rows.map((row) => cellsOf(row).map((cell) => markdownText(cell)))
    const lines = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
    return [`### ${markdownText(board.suite.title)}`, '', ...lines].join('\n')
  })
  return `${[...parts, `<sub>${BASIS}</sub>`].join('\n\n')}\n`
}

/** Name of a board's JSON file, the same as in `/api/v1/leaderboard`. */
export function boardFile(suiteId: string): string {
  return `${suiteId}.json`
}

function cellsOf(row: BoardRow): string[] {
  const cells: TableCell[] = [
    formatRank(row.rank),
    subjectLabel(row.subject),
    [formatBadgeRate(row.success), ...rowNotices(row)].join('; '),
    formatSamples(row),
    costOf(row),
    evidenceOf(row),
  ]
  return cells.map((cell) => String(cell ?? '–'))
}

function costOf({ settings, costPerSuccessMicroUsd: cost }: BoardRow): string | null {
  if (settings.login !== undefined) return 'flat'
  return cost === null ? null : formatCost(cost)
}

/** States a row's evidence, including why it is not ranked. */
function evidenceOf({ label, refusals }: BoardRow): string {
  const codes = refusals.map(({ code }) => code)
  return codes.length === 0 ? formatTier(label) : `${formatTier(label)}: ${codes.join(', ')}`
}

const START = '<!-- proofboard:start -->'
const END = '<!-- proofboard:end -->'

type Inserted = { ok: true; text: string } | { ok: false; problem: string }

/** Replaces the part of a document between its markers; everything else stays, byte for byte. */
export function insertBetweenMarkers(document: string, section: string): Inserted {
  const starts = document.split(START)
  const ends = document.split(END)
  if (starts.length !== 2 || ends.length !== 2)
    return {
      ok: false,
      problem: `needs ${START} and ${END} exactly once, each on a separate line`,
    }
  const [before = '', after = ''] = [starts[0], ends[1]]
  if (document.indexOf(START) > document.indexOf(END))
    return { ok: false, problem: `has ${END} before ${START}: swap them` }
  return { ok: true, text: `${before}${START}\n\n${section.trim()}\n\n${END}${after}` }
}
