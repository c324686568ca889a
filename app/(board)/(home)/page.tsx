import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { NoBoard, SuiteTabs, VersionNotice } from '#components/board/board-page.tsx'
import { loadBoardView } from '#components/board/board-view.ts'
import { EvidenceLegend } from '#components/board/evidence.tsx'
import { HomeHero } from '#components/board/home-hero.tsx'
import { ActiveRuns } from '#components/run/active-runs.tsx'
import { Section } from '#components/ui/layout.tsx'
import { HomeBody } from './home-body.tsx'
import { loadHome } from './load-home.ts'
import { previewHome } from './preview-home.ts'

export const dynamic = 'force-dynamic'

type HomePageProps = { searchParams: Promise<SearchParams> }

export async function generateMetadata({ searchParams }: HomePageProps): Promise<Metadata> {
  return previewHome(loadBoardView(await searchParams))
}

/** The leaderboard of one suite. */
export default async function HomePage({ searchParams }: HomePageProps) {
  const query = await searchParams
  const view = loadBoardView(query)
  const { suites, suiteId, body, checked, runs, isNew, isReported } = await loadHome(view)
  const board = body?.table.board ?? null
  if (!board && suiteId !== null && view.version === null) return notFound()
  return (
    <>
      {body ? <SkipLink /> : null}
      <HomeHero board={board} checked={checked} isReported={isReported} />
      <SuiteTabs current={suiteId} suites={suites} />
      <ActiveRuns isFresh={isNew} runs={runs} waiting={!board || board.rows.length === 0} />
      {isReported ? (
        <p className="mb-4 border-line-strong border-l-2 pl-3">
          Results are reported by another program. They are not verified here and never ranked.
        </p>
      ) : null}
      {board && view.version !== null ? <VersionNotice board={board} /> : null}
      {body ? (
        <HomeBody body={body} isPicking={query.pick !== undefined} view={view} />
      ) : (
        <NoBoard suiteId={suiteId} />
      )}
      <Section id="legend" title="Evidence labels">
        <EvidenceLegend />
      </Section>
    </>
  )
}

/** Skips the controls above the table. */
function SkipLink() {
  return (
    <a
      className="sr-only rounded bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
      href="#entries"
    >
      Skip to the entries
    </a>
  )
}
