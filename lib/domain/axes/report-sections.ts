import { REUSE_WORDS, sayWay } from '../browser/browser-words.ts'
import type { AxisSlug } from './axes.ts'
import type { AxisReport, AxisRow } from './axis-report.ts'

/** Rows of a report whose figures may be read beside each other. */
export type ReportSection = { id: string; title: string; isClaim: boolean; rows: AxisRow[] }

/** What a model drives and what a script drives never compete. */
const POOLS = [
  { id: 'claims', title: 'Claims', take: (row: AxisRow) => row.driven === 'llm' },
  {
    id: 'claims-scripted',
    title: 'Claims, scripted',
    take: (row: AxisRow) => row.driven !== 'llm',
  },
] as const

/** Where an axis's figures mean another thing, its rows stand apart. */
const APART: Partial<Record<AxisSlug, (row: AxisRow) => string | null>> = {
  // A section of claims already says who drives; what is no claim may be driven either way.
  'token-efficiency': (row) => (isClaim(row) ? (row.subject.targeting ?? null) : sayWay(row)),
  speed: ({ browser }) => (browser ? `${REUSE_WORDS[browser].word} browser` : null),
}

function isClaim({ label }: AxisRow): boolean {
  return label === 'primary' || label === 'stress'
}

/** A report's rows in sections: claims by pool, then what is no claim; split further where the axis has to. */
export function reportSections({ axis, claims, others }: AxisReport): ReportSection[] {
  const apart = APART[axis.slug] ?? (() => null)
  const pools = POOLS.flatMap(({ id, title, take }) =>
    split({ id, title, isClaim: true, rows: claims.filter(take) }, apart),
  )
  return [
    ...pools,
    ...split({ id: 'others', title: 'Not claims', isClaim: false, rows: others }, apart),
  ]
}

function split(section: ReportSection, apart: (row: AxisRow) => string | null): ReportSection[] {
  const groups = new Map<string, AxisRow[]>()
  for (const row of section.rows) {
    const group = apart(row) ?? ''
    groups.set(group, [...(groups.get(group) ?? []), row])
  }
  return [...groups].map(([group, rows]) => ({
    ...section,
    id: group === '' ? section.id : `${section.id}-${group.replaceAll(/[^a-z]+/g, '-')}`,
    title: group === '' ? section.title : `${section.title} · ${group}`,
    rows,
  }))
}
