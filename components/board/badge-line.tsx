'use client'

import { useSyncExternalStore } from 'react'
import { CopyButton } from '#components/ui/controls.tsx'
import { badgeMarkdown, badgePath } from '#lib/domain/board/index.ts'

const never = () => () => {}

/** An entry's badge and the Markdown to embed it in a README. */
export function BadgeLine({ rowId }: { rowId: string }) {
  const origin = useSyncExternalStore(
    never,
    () => location.origin,
    () => '',
  )
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      {/* biome-ignore lint/performance/noImgElement: the very SVG that a README will show. */}
      <img alt="Badge of this entry" className="h-5 max-w-full" src={badgePath(rowId)} />
      <CopyButton label="Copy badge" text={badgeMarkdown(origin, rowId)} />
    </div>
  )
}
