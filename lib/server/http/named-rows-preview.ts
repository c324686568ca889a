import type { Metadata } from 'next'
import type { NamedKind, NamedRow } from '../../domain/api/index.ts'
import { formatBadgeRate, formatTier, rowPreviewPath } from '../../domain/board/index.ts'
import { linkPreview } from './preview-image.ts'

/** Returns the link preview of the page of an agent or a model: its first entry, as text and as the image. */
export function namedRowsPreview(
  kind: NamedKind,
  name: string,
  rows: readonly NamedRow[],
): Metadata {
  const shown = name.replace(/\p{C}/gu, '')
  const [first] = rows
  const isRanked = first?.row.label === 'primary' || first?.row.label === 'stress'
  const result = first && isRanked ? `${formatBadgeRate(first.row.success)}, ` : ''
  const standing = first ? ` On ${first.suiteTitle}: ${result}${formatTier(first.row.label)}.` : ''
  return linkPreview({
    title: shown,
    description: `Every result of ${shown}, with confidence intervals and evidence.${standing}`,
    path: `/${kind}s/${encodeURIComponent(name)}`,
    picture: first ? rowPreviewPath(first.row.rowId) : null,
  })
}
