import type { ItemKind, UploadPreview } from '#lib/domain/ingest/upload-preview.ts'
import type { UploadState } from '#lib/domain/views/upload-view.ts'

export const KIND_WORDS: Record<ItemKind, { word: string; meaning: string }> = {
  new: { word: 'new', meaning: 'Will be stored.' },
  duplicate: { word: 'duplicate', meaning: 'Already stored with the same content.' },
  conflict: {
    word: 'conflict',
    meaning: 'Other data is stored under this id. The stored data is kept.',
  },
  rejected: { word: 'rejected', meaning: 'Invalid, cannot be stored.' },
}

export const STATE_WORDS: Record<UploadState, string> = {
  previewed: 'awaiting commit',
  committed: 'committed',
  discarded: 'discarded',
}

/** `2 new, 1 duplicate`, without kinds that do not occur. */
export function sayCounts(counts: UploadPreview['counts']): string {
  const parts = Object.entries(counts).flatMap(([kind, count]) =>
    count > 0 ? `${count} ${kind}` : [],
  )
  return parts.join(', ') || 'no episodes'
}
