import type { Metadata } from 'next'
import { ContentsOfPages, IndexOfTerms, SectionView } from '#components/docs/methodology.tsx'
import { PAGE_WORDS } from '#components/docs/page-words.ts'
import { formatRate } from '#components/ui/format.ts'
import { PageHeading } from '#components/ui/layout.tsx'
import { type BoardRow, formatRank, formatShape } from '#lib/domain/board/index.ts'
import { chooseBoard } from '#lib/server/board/board.ts'
import { readMethodology, readMethodologyIndex } from '#lib/server/board/text-pages.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Methodology' }

/** The introduction to a board, and links to the pages about its numbers. */
export default async function MethodologyPage() {
  const { board } = await chooseBoard(null)
  const { title, sections } = await readMethodologyIndex(PAGE_WORDS, exampleOf(board?.rows ?? []))
  const pages = await readMethodology(PAGE_WORDS)
  return (
    <>
      <PageHeading title={title}>
        How every number on this server is calculated.{' '}
        <a className="link" href="/api/v1/methodology">
          Methodology as JSON
        </a>
        {' · '}
        <a className="link" href="/audit">
          Results of known attacks
        </a>
      </PageHeading>
      {sections.map((section) => (
        <SectionView key={section.id} section={section} />
      ))}
      <ContentsOfPages pages={pages} />
      <IndexOfTerms pages={pages} />
    </>
  )
}

/** The first ranked row of this server's board, or a made-up one. */
function exampleOf(rows: readonly BoardRow[]): Record<string, string> {
  const row = rows.find(({ rank }) => rank)
  if (!row) {
    return { rowRank: '1–2 A', rowEntry: 'an agent', rowRate: '88, 72–95', rowSize: '20 × 3' }
  }
  const { rate, spread } = formatRate(row.success.rate, row.success.low, row.success.high)
  return {
    rowRank: [formatRank(row.rank), row.rank?.letters].filter(Boolean).join(' '),
    rowEntry: `${row.subject.name} ${row.subject.version}`,
    rowRate: [rate, spread].filter(Boolean).join(', '),
    rowSize: formatShape(row),
  }
}
