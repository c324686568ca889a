import type { BoardRow } from '#lib/domain/board/index.ts'

/** The arm of its plan, a cold browser, a planned fault: what tells rows of one subject apart. */
export function formatConditions({
  subject: { arm },
  settings: { browser, fault },
}: BoardRow): string | null {
  const parts = [arm ?? null, browser === 'cold' ? 'cold' : null, fault ?? null].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}
