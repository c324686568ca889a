import { formatInterval, formatPercent, visibleText } from '#components/ui/format.ts'
import {
  type BoardRow,
  countRows,
  EVIDENCE_WORDS,
  entryStyles,
  formatRowCounts,
} from '#lib/domain/board/index.ts'
import { nameRows } from '#lib/domain/compare/index.ts'
import { modelLabel } from '#lib/domain/record/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

export type ChooserRow = ReturnType<typeof toChooserRow>

export type ChooserGroup = { digest: string; title: string; note: string; rows: ChooserRow[] }

type Version = {
  title: string
  version: string | null
  digest: string
  isCurrent: boolean
  rows: readonly BoardRow[]
}

/** One group for each suite version with rows; groups with a selected row come first. */
export function toChooserGroups(
  versions: readonly Version[],
  chosen: readonly string[],
): ChooserGroup[] {
  const isChosen = ({ rows }: ChooserGroup) => rows.some(({ rowId }) => chosen.includes(rowId))
  const groups = versions.map(({ title, version, digest, isCurrent, rows }) => {
    const names = nameRows(rows)
    const styles = entryStyles(rows)
    const counts = formatRowCounts(countRows(rows))
    return {
      digest,
      title: version === null ? title : `${title} ${version}`,
      note: isCurrent ? counts : `earlier version, ${counts}`,
      rows: rows.map((row) =>
        toChooserRow(row, {
          name: names.get(row.rowId) ?? row.subject.name,
          suite: title,
          colour: styles.get(row.rowId)?.colour,
        }),
      ),
    }
  })
  return groups.sort((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
}

/** A row in the chooser, with all texts prepared on the server; `haystack` is the lower-case text for the search. */
function toChooserRow(
  row: BoardRow,
  { name, suite, colour }: { name: string; suite: string; colour: number | undefined },
) {
  const { subject, success, label } = row
  const details = [subject.version, modelLabel(subject), formatWay(row)].filter(
    (part) => part !== null,
  )
  const interval = formatInterval(success.low, success.high)
  const percent = formatPercent(success.rate)
  const { word } = EVIDENCE_WORDS[label]
  return {
    rowId: row.rowId,
    colour,
    name: visibleText(name),
    rest: details
      .filter((part) => !name.includes(part))
      .map(visibleText)
      .join(' · '),
    label,
    rate: success.rate,
    low: success.low,
    high: success.high,
    percent,
    interval,
    title: `${percent}\u00a0% (95\u00a0% confidence interval ${interval}) · ${countOf(success.tasks, 'task')} · ${success.method}`,
    haystack: [name, ...details, subject.provider, subject.kind, word, suite]
      .join(' ')
      .toLowerCase(),
  }
}
