import type { Metadata } from 'next'
import { cache } from 'react'
import { NoEntries } from '#components/board/no-entries.tsx'
import { ComparedPage, compareTitle, rowsOfPair } from '#components/compare/compared-page.tsx'
import { CompareToolbar } from '#components/compare/comparison.tsx'
import { ComparisonRefused } from '#components/compare/comparison-refused.tsx'
import { RowChooser } from '#components/compare/row-chooser.tsx'
import { toChooserGroups } from '#components/compare/to-chooser-groups.ts'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading } from '#components/ui/layout.tsx'
import {
  type ComparisonView,
  comparePath,
  MAX_COMPARED_ROWS,
  nameRows,
  parseRowIds,
} from '#lib/domain/compare/index.ts'
import { getBoard } from '#lib/server/board/board.ts'
import { getComparison, listComparableRows, listFlipEpisodes } from '#lib/server/board/compare.ts'
import { linkPreview } from '#lib/server/http/preview-image.ts'

export const dynamic = 'force-dynamic'

type ComparePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const readComparison = cache((rows: string) => getComparison(parseRowIds(rows)))

export async function generateMetadata({ searchParams }: ComparePageProps): Promise<Metadata> {
  const rowIds = parseRowIds((await searchParams).rows)
  const comparison = rowIds.length > 0 ? await readComparison(rowIds.join()) : null
  if (!comparison?.ok) return { title: 'Compare' }
  const sentences = comparison.pairs.slice(0, 3).map(({ sentence }) => visibleText(sentence))
  return linkPreview({
    title: compareTitle(comparison),
    description: `${sentences.join(' ')} ${comparison.standing.kind === 'claim' ? 'Safe to cite.' : 'Diagnostic only.'}`,
    path: comparePath(rowIds),
    picture: `/api/v1/compare/preview.png?rows=${rowIds.map(encodeURIComponent).join()}`,
  })
}

/** A comparison of rows, or a list of rows to select from. */
export default async function ComparePage({ searchParams }: ComparePageProps) {
  const { rows, pair, q } = await searchParams
  const rowIds = parseRowIds(rows)
  const query = typeof q === 'string' ? q : ''
  if (rowIds.length === 0) return <Choice chosen={[]} query={query} />
  const comparison = await readComparison(rowIds.join())
  if (comparison.ok) return <Compared pair={Number(pair) - 1} view={comparison} />
  return (
    <Choice chosen={rowIds} query={query}>
      {comparison.code === 'too-few-rows' ? (
        <p className="text-base">Select at least one more entry.</p>
      ) : (
        <ComparisonRefused refusal={comparison} />
      )}
    </Choice>
  )
}

type ChoiceProps = { chosen: readonly string[]; query: string; children?: React.ReactNode }

async function Choice({ chosen, query, children }: ChoiceProps) {
  const groups = toChooserGroups(await listComparableRows(), chosen)
  return (
    <>
      <PageHeading title="Compare">
        Compare entries of the same suite version task by task, with tests for significant
        differences.
      </PageHeading>
      {children ? <div className="mb-4">{children}</div> : null}
      {groups.length > 0 ? (
        <RowChooser chosen={chosen} groups={groups} key={chosen.join()} query={query} />
      ) : (
        <NoEntries />
      )}
    </>
  )
}

async function Compared({ view, pair }: { view: ComparisonView; pair: number }) {
  const { rows, pairs, suite } = view
  const index = pairs[pair] ? pair : 0
  const [found, chosen] = [rowsOfPair(view, index), pairs[index]]
  const episodes = found && chosen && (await listFlipEpisodes(chosen, [found.a, found.b]))
  return (
    <ComparedPage
      board={await getBoard(suite.suiteId, suite.digest)}
      shown={found && episodes ? { ...found, episodes } : null}
      toolbar={
        <CompareToolbar
          addable={rows.length < MAX_COMPARED_ROWS ? await listAddable(view) : []}
          pair={index}
          rowIds={rows.map(({ rowId }) => rowId)}
        />
      }
      view={view}
    />
  )
}

/** The other rows of the same version with unique names. */
async function listAddable({ suite, rows }: ComparisonView) {
  const compared = new Set(rows.map(({ rowId }) => rowId))
  const version = (await listComparableRows()).find(({ digest }) => digest === suite.digest)
  const names = nameRows(version?.rows ?? [])
  return [...names].flatMap(([rowId, name]) => (compared.has(rowId) ? [] : [{ rowId, name }]))
}
