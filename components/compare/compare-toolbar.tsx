import { ArrowLeftRight } from 'lucide-react'
import Link from 'next/link'
import { visibleText } from '#components/format/visible-text.ts'
import { Button } from '#components/ui/button.tsx'
import { comparePath } from '#lib/domain/compare/parse-row-ids.ts'
import { CopyLinkButton } from './copy-link-button.tsx'
import { type ComparisonTexts, ExportMenu } from './export-menu.tsx'

type CompareToolbarProps = {
  rowIds: readonly string[]
  pair: number
  /** Rows of the same version that are not compared yet; none when there is no room for more. */
  addable: readonly { rowId: string; name: string }[]
  texts: ComparisonTexts
}

/** Add a row, turn the rows round, copy the link, export. Adding works without scripts. */
export function CompareToolbar({ rowIds, pair, addable, texts }: CompareToolbarProps) {
  const turned = comparePath([...rowIds].reverse())
  return (
    <div className="mt-6 flex flex-wrap items-center gap-2">
      {addable.length > 0 ? (
        <form action="/compare" className="flex min-w-0 max-w-full gap-2" method="get">
          <input name="rows" type="hidden" value={rowIds.join(',')} />
          <label className="min-w-0">
            <span className="sr-only">Row to add</span>
            <select
              className="h-8 w-full max-w-72 rounded border border-line-strong bg-surface px-2"
              defaultValue=""
              name="rows"
              required
            >
              <option value="">Add a row…</option>
              {addable.map(({ rowId, name }) => (
                <option key={rowId} value={rowId}>
                  {visibleText(name)}
                </option>
              ))}
            </select>
          </label>
          <Button type="submit">Add</Button>
        </form>
      ) : null}
      <div className="flex flex-wrap gap-2 sm:ml-auto">
        <Link
          className="inline-flex h-8 items-center gap-1.5 rounded border border-line bg-surface px-2.5 hover:border-line-strong"
          href={turned}
          prefetch={false}
          title="The other way round: A minus B becomes B minus A"
        >
          <ArrowLeftRight aria-hidden size={14} />
          {rowIds.length === 2 ? 'Swap' : 'Reverse'}
        </Link>
        <CopyLinkButton path={comparePath(rowIds, pair)} />
        <ExportMenu {...texts} />
      </div>
    </div>
  )
}
