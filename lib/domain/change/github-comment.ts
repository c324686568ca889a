import { changeMarkdown } from './change-markdown.ts'
import type { ChangeReport } from './change-report.ts'
import { VERDICT_WORDS } from './describe-pair.ts'

/** GitHub refuses a body of more than 65,536 characters. */
const MAX_LETTERS = 60_000
const FLIPS = [50, 10, 0]

/** Returns the line that identifies a comment. `key` distinguishes comparisons of one pull request. */
export function commentMarker(key: string): string {
  return `<!-- proofboard-compare ${key.replace(/[^\w.-]/g, '-').slice(0, 60)} -->`
}

export type CommentFrame = {
  key: string
  /** Names of the two commits, shortened by the caller. */
  base: string
  head: string
  /** Address of the workflow run; null = unknown. */
  runUrl: string | null
}

/** Builds the comment on a pull request: bounded in length, the same bytes for the same results. */
export function changeComment(report: ChangeReport, frame: CommentFrame): string {
  const bodies = FLIPS.map((max) => framed(changeMarkdown(report, max), frame))
  const fitting = bodies.find((body) => body.length <= MAX_LETTERS)
  if (fitting !== undefined) return fitting
  const lines = (bodies.at(-1) ?? '').slice(0, MAX_LETTERS).split('\n').slice(0, -1)
  // An unclosed folded list would hide everything after it.
  const text = lines.join('\n')
  const isOpen = text.lastIndexOf('<details>') > text.lastIndexOf('</details>')
  return `${text}${isOpen ? '\n\n</details>' : ''}\n\n… shortened; the whole comparison is in the results of the workflow.\n`
}

/**
 * Builds the comment for a run with nothing to compare, or nothing to compare with; `why` is one of this program's own
 * sentences.
 */
export function emptyComment(why: string, frame: CommentFrame): string {
  return framed(`## Proofboard: not comparable\n\n${why}\n`, frame)
}

function framed(body: string, { key, base, head, runUrl }: CommentFrame): string {
  const run = runUrl === null ? '' : ` · [workflow run](${runUrl})`
  return `${commentMarker(key)}\n${body}\n<sub>\`${hex(head)}\` against \`${hex(base)}\`${run}</sub>\n`
}

function hex(commit: string): string {
  return /^[0-9a-f]{7,64}$/.test(commit) ? commit.slice(0, 10) : 'unknown'
}

export type CheckConclusion = 'success' | 'failure' | 'neutral'

/**
 * Returns the conclusion of the check. Red requires a tested difference, and can be switched off. Green means better,
 * or at most ten points worse by the whole interval. Everything else is neutral.
 */
export function concludeCheck(
  { verdict, pairs }: ChangeReport,
  onWorse: 'failure' | 'neutral',
): { conclusion: CheckConclusion; title: string } {
  const title = VERDICT_WORDS[verdict]
  if (verdict === 'worse') return { conclusion: onWorse, title }
  const isFine = pairs.length > 0 && pairs.every((pair) => pair.ok && pair.isNoWorse)
  if (!isFine) return { conclusion: 'neutral', title }
  return {
    conclusion: 'success',
    title: verdict === 'cannot-tell' ? 'No worse than 10 points' : title,
  }
}
