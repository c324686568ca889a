import type { Metadata } from 'next'
import { SectionView } from '#components/docs/methodology.tsx'
import { OUTCOME_LABELS } from '#components/run/outcome.tsx'
import { PageHeading, WithContents } from '#components/ui/layout.tsx'
import { EVIDENCE_WORDS, PROVENANCE_WORDS } from '#lib/domain/board/index.ts'
import { buildMethodology, METHODOLOGY_CONSTANTS } from '#lib/domain/reports/index.ts'
import { listSuiteThresholds } from '#lib/server/board/suites.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Methodology' }

const WORDS = { outcomes: OUTCOME_LABELS, labels: EVIDENCE_WORDS, provenance: PROVENANCE_WORDS }

/** How every number is calculated, generated from the code that calculates it. */
export default async function MethodologyPage() {
  const suites = await listSuiteThresholds()
  const sections = buildMethodology({ constants: METHODOLOGY_CONSTANTS, words: WORDS, suites })
  return (
    <>
      <PageHeading title="Methodology">
        How every number on this server is calculated. Rules, thresholds and methods are generated
        from the code that applies them.{' '}
        <a className="link" href="/api/v1/methodology">
          Methodology as JSON
        </a>
        {' · '}
        <a className="link" href="/audit">
          Results of known attacks
        </a>
      </PageHeading>
      <WithContents entries={sections}>
        {sections.map((section) => (
          <SectionView key={section.id} section={section} />
        ))}
      </WithContents>
    </>
  )
}
