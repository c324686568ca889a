import { listNames, markdownText, present } from '../text/index.ts'
import type { ChangedPair, ChangeReport } from './change-report.ts'
import { describeChangedPair, levelText, VERDICT_WORDS } from './describe-pair.ts'

/** Formats a comparison as Markdown. Text from results is escaped, so that it adds no markup, links or mentions. */
export function changeMarkdown(report: ChangeReport, mostFlips = 50): string {
  const { pairs, verdict, baseline, candidate } = report
  const title = `## Proofboard: ${VERDICT_WORDS[verdict].toLowerCase()}`
  const basis = `${text(candidate.name)} against ${text(baseline.name)}`
  return `${[title, basis, ...pairs.flatMap((pair) => pairParts(pair, mostFlips)), ...leftOver(report)].join('\n\n')}\n`
}

function pairParts(pair: ChangeReport['pairs'][number], mostFlips: number): string[] {
  if (pair.ok) return comparedParts(pair, mostFlips)
  const title = `### ${text(pair.candidate)} against ${text(pair.baseline)}`
  return [
    title,
    `**Not comparable** (${text(pair.code)}): ${text(`${pair.reason} ${pair.remedy}`)}`,
  ]
}

function comparedParts(pair: ChangedPair, mostFlips: number): string[] {
  const { title, verdict, sentence, table, flips, standing, notes, decide } =
    describeChangedPair(pair)
  const shown = flips.slice(0, mostFlips)
  const left = flips.length - shown.length
  const head = ['Task', 'Before', 'After', 'Points']
  const caveats = [
    ...(decide === null ? [] : [decide]),
    ...(pair.comparison.standing.kind === 'claim' ? [] : ['Diagnostic only, not ranked results:']),
    ...standing,
    ...notes,
    levelText(pair),
  ]
  return [
    `### ${text(title)}`,
    `**${VERDICT_WORDS[verdict]}.** ${text(sentence)}`,
    tableOf(table),
    ...(shown.length > 0
      ? [
          `Tasks where the majority outcome differs (${flips.length}):`,
          tableOf([head, ...shown, ...(left > 0 ? [[`… and ${left} more`, '', '', '']] : [])]),
        ]
      : ['No task changed sides.']),
    caveats.map((line) => `- ${text(line)}`).join('\n'),
    ...refusalParts(pair),
  ]
}

/** Lists every rule that is not met, folded: most pull requests measure too little to be ranked. */
function refusalParts({ refusals }: ChangedPair): string[] {
  if (refusals.length === 0) return []
  const lines = refusals.map(
    ({ row, code, reason, remedy }) =>
      `- ${text(row)}, ${text(code)}: ${text(`${reason} ${remedy}`)}`,
  )
  return [
    `<details><summary>Evidence rules that are not met (${refusals.length})</summary>\n\n${lines.join('\n')}\n\n</details>`,
  ]
}

function leftOver({ unmatched, baseline, candidate }: ChangeReport): string[] {
  const lines = present([
    unmatched.baseline.length > 0 &&
      `Only in ${baseline.name}: ${listNames(unmatched.baseline, 5)}.`,
    unmatched.candidate.length > 0 &&
      `Only in ${candidate.name}: ${listNames(unmatched.candidate, 5)}.`,
  ])
  return lines.map((line) => text(line))
}

function tableOf([head = [], ...rows]: readonly string[][]): string {
  const lines = [head.map(text), head.map(() => '---'), ...rows.map((cells) => cells.map(text))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const MAX_TEXT_CHARS = 600

/**
 * Escapes Markdown. GitHub looks for mentions and issues after unescaping, so a zero-width character follows their
 * signs.
 */
function text(value: string): string {
  return markdownText(value, MAX_TEXT_CHARS).replace(/&#64;|\\#/g, '$&&#8203;')
}
