import type { Metadata } from 'next'
import { exampleOf, MethodologyIndex } from '#components/docs/methodology-pages.tsx'
import { PAGE_WORDS } from '#components/docs/page-words.ts'
import { chooseBoard } from '#lib/server/board/board.ts'
import { readMethodology, readMethodologyIndex } from '#lib/server/board/text-pages.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Methodology' }

export default async function MethodologyPage() {
  const { board } = await chooseBoard(null)
  const index = await readMethodologyIndex(PAGE_WORDS, exampleOf(board?.rows ?? []))
  return <MethodologyIndex index={index} pages={await readMethodology(PAGE_WORDS)} />
}
