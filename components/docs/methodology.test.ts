import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { MarkdownSpan } from '#lib/domain/markdown/index.ts'
import { METHODOLOGY_SLUGS, type MethodologyPage } from '#lib/domain/reports/index.ts'
import { openPages } from '#lib/testing/factories/methodology-pages.ts'
import { ContentsOfPages, IndexOfTerms, SectionView } from './methodology.tsx'

const all = openPages()
const pages = new Map(
  METHODOLOGY_SLUGS.map((slug) => [slug, all.get(slug) as MethodologyPage] as const),
)
const render = (sections: MethodologyPage['sections']) =>
  sections.map((section) => renderToStaticMarkup(createElement(SectionView, { section }))).join('')
const idsIn = (html: string) => [...html.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id)

it('leads from the anchor of every section and term to its page', () => {
  const index = [ContentsOfPages, IndexOfTerms]
    .map((Part) => renderToStaticMarkup(createElement(Part, { pages })))
    .join('')
  for (const [slug, { sections }] of pages)
    for (const id of idsIn(render(sections)).filter((one) => !one?.endsWith('-title')))
      expect(index).toContain(`href="/methodology/${slug}#${id}" id="${id}"`)
  expect(idsIn(index)).toEqual([...new Set(idsIn(index))])
})

it('shows links and code, and markup as text', () => {
  expect(render(all.get('threats')?.sections ?? [])).toContain('href="/audit"')
  const spans: MarkdownSpan[] = [{ kind: 'plain', text: '<b>' }]
  const section = { id: 'a', title: 'A', blocks: [{ kind: 'text' as const, spans }] }
  expect(render([section])).toContain('&lt;b&gt;')
})
