import { type BoardRow, formatRank, formatShape } from '#lib/domain/board/index.ts'
import type { MethodologyPage, MethodologySlug } from '#lib/domain/reports/index.ts'
import { formatRate } from '../ui/format.ts'
import { PageHeading, WithContents } from '../ui/layout.tsx'
import { ContentsOfPages, IndexOfTerms, SectionView } from './methodology.tsx'

type MethodologyIndexProps = {
  index: MethodologyPage
  pages: ReadonlyMap<MethodologySlug, MethodologyPage>
}

/** The introduction to a board, and links to the pages about its numbers. */
export function MethodologyIndex({ index: { title, sections }, pages }: MethodologyIndexProps) {
  return (
    <>
      <PageHeading title={title}>
        How every number on this site is calculated.{' '}
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

/** A page of the methodology. */
export function MethodologyPart({ page: { title, sections } }: { page: MethodologyPage }) {
  return (
    <>
      <PageHeading
        title={title}
        trail={
          <a className="link" href="/methodology">
            Methodology
          </a>
        }
      />
      <WithContents entries={sections}>
        {sections.map((section) => (
          <SectionView key={section.id} section={section} />
        ))}
      </WithContents>
    </>
  )
}

/** The first ranked row as the example of the introduction, or one that is made up. */
export function exampleOf(rows: readonly BoardRow[]): Record<string, string> {
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
