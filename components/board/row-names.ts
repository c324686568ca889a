import type { BoardRow } from '#lib/domain/board/index.ts'

/** A cold browser, a planned fault: what tells rows of one subject apart. */
export function formatConditions({ settings: { browser, fault } }: BoardRow): string | null {
  const parts = [browser === 'cold' ? 'cold' : null, fault ?? null].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}
