'use client'

import { useCallback, useMemo } from 'react'
import { visibleText } from '#components/format/visible-text.ts'
import { cutLine } from './cut-line.ts'
import { VirtualLines } from './virtual-lines.tsx'

type SourceViewProps = { path: string; text: string }

/** One solution file with line numbers, as it was judged. */
export function SourceView({ path, text }: SourceViewProps) {
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text])
  const renderLine = useCallback(
    (index: number) => {
      const { text: shown, rest } = cutLine(lines[index] ?? '')
      return (
        <div className="flex">
          <span aria-hidden="true" className="w-12 shrink-0 select-none pr-3 text-right text-muted">
            {index + 1}
          </span>
          <bdi className="pr-4">{visibleText(shown)}</bdi>
          {rest ? <span className="text-muted">{rest}</span> : null}
        </div>
      )
    },
    [lines],
  )
  return (
    <div className="mb-3 overflow-hidden rounded border border-line">
      <p className="untrusted border-line border-b bg-sunken px-3 py-1.5 font-mono text-xs">
        {visibleText(path)}
      </p>
      <VirtualLines count={lines.length} label={`Solution ${path}`} renderLine={renderLine} />
    </div>
  )
}
