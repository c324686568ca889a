import type { ReactNode } from 'react'
import {
  countNames,
  listNamedRows,
  listNames,
  type NamedKind,
  type OutcomeCount,
} from '#lib/domain/api/index.ts'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { isScored } from '#lib/domain/record/index.ts'
import { openMethodology, openMethodologyIndex } from '#lib/domain/reports/index.ts'
import { NameIndex } from '../board/name-index.tsx'
import { NamedRowsPage } from '../board/named-rows-page.tsx'
import { exampleOf, MethodologyIndex, MethodologyPart } from '../docs/methodology-pages.tsx'
import { PAGE_WORDS } from '../docs/page-words.ts'
import { PageHeading } from '../ui/layout.tsx'
import { newestBoards, type SiteInput } from './site-input.ts'

/** A page at its address in the app. */
export type SitePage = { address: string; title: string; draw: () => ReactNode }

/** The pages of all agents and libraries, or of all models. */
export function listNamedPages(kind: NamedKind, input: SiteInput): SitePage[] {
  const { boards, suites } = input
  const newest = newestBoards(input)
  const current = suites.filter(({ digest }) => newest.some(({ suite }) => suite.digest === digest))
  const title = kind === 'model' ? 'Models' : 'Agents and libraries'
  const index = {
    address: `/${kind}s`,
    title,
    draw: () => (
      <>
        <PageHeading title={title}>Everything measured, by name.</PageHeading>
        <NameIndex kind={kind} names={countNames(kind, boards)} />
      </>
    ),
  }
  const pages = listNames(kind, boards).map((name) => ({
    address: `/${kind}s/${encodeURIComponent(name)}`,
    title: name,
    draw: () => {
      const rows = listNamedRows(kind, name, boards, current)
      const outcomes = countOutcomes(
        input,
        rows.map(({ row }) => row),
      )
      return <NamedRowsPage found={{ name, rows, outcomes }} kind={kind} />
    },
  }))
  return [index, ...pages]
}

/** Counts the outcomes of the attempts of these rows, after corrections of the ledger. */
function countOutcomes({ runs, statusOf }: SiteInput, rows: readonly BoardRow[]): OutcomeCount[] {
  const runIds = new Set(rows.flatMap((row) => row.runIds))
  const counts = new Map<string, OutcomeCount>()
  for (const episode of runs.flatMap((run) => (runIds.has(run.runId) ? run.episodes : []))) {
    const status = statusOf?.(episode) ?? episode.outcome.status
    const isFailure = isScored(status) && status !== 'solved'
    const failureCategory = isFailure ? episode.failureCategory : null
    const key = `${status} ${failureCategory}`
    const episodes = (counts.get(key)?.episodes ?? 0) + 1
    counts.set(key, { status, failureCategory, episodes })
  }
  return [...counts.values()].sort((a, b) => b.episodes - a.episodes)
}

/** The pages about the numbers of the site. */
export function listMethodologyPages({ boards, methodologyText }: SiteInput): SitePage[] {
  const suites = boards.map(({ suite: { suiteId, title }, thresholds }) => ({
    suiteId,
    title,
    thresholds,
  }))
  const pages = openMethodology(methodologyText, { words: PAGE_WORDS, suites })
  const example = exampleOf(boards[0]?.rows ?? [])
  const index = openMethodologyIndex(methodologyText, PAGE_WORDS, example)
  return [
    {
      address: '/methodology',
      title: index.title,
      draw: () => <MethodologyIndex index={index} pages={pages} />,
    },
    ...[...pages].map(([slug, page]) => ({
      address: `/methodology/${slug}`,
      title: page.title,
      draw: () => <MethodologyPart page={page} />,
    })),
  ]
}
