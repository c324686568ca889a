import {
  escapeMarkup,
  formatCost,
  markdownText,
  subjectLabel,
  type TableCell,
} from '../record/index.ts'
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

/** Formats the same as one self-contained page. */
export function publishedPage(boards: readonly Board[]): string {
  const tables = boards.map(({ suite, rows }) => {
    const head = HEAD.map((text) => `<th scope="col">${escapeMarkup(text)}</th>`).join('')
    const body = rows
      .map(
        (row) =>
          `<tr>${cellsOf(row)
            .map((cell) => `<td>${escapeMarkup(cell)}</td>`)
            .join('')}</tr>`,
      )
      .join('\n')
    const file = escapeMarkup(boardFile(suite.suiteId))
    return `<h2>${escapeMarkup(suite.title)}</h2>\n<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>\n<p><a href="${file}">${file}</a>, suite ${escapeMarkup(suite.digest)}</p>`
  })
  return `${[PAGE_HEAD, ...tables, `<p>${escapeMarkup(BASIS)}</p>`, '</body></html>'].join('\n')}\n`
}

/** Name of a board's JSON file, the same as in `/api/v1/leaderboard`. */
export function boardFile(suiteId: string): string {
  return `${suiteId}.json`
}

const PAGE_HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Leaderboard</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8884}</style>
</head><body>
<h1>Leaderboard</h1>`

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
