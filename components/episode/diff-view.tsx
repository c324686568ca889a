'use client'

import { useCallback, useMemo } from 'react'
import { visibleText } from '#components/format/visible-text.ts'
import { cutLine } from './cut-line.ts'
import { type DiffLine, parseDiff } from './parse-diff.ts'
import { VirtualLines } from './virtual-lines.tsx'

const TONES: Record<DiffLine['sign'], string> = {
  '+': 'bg-good-soft',
  '-': 'bg-bad-soft',
  ' ': '',
  '@': 'bg-sunken text-muted',
  file: 'bg-sunken font-medium',
}

/** What the subject changed in the workspace; sign and colour say added or removed. */
export function DiffView({ diff }: { diff: string }) {
  const lines = useMemo(() => parseDiff(diff), [diff])
  const renderLine = useCallback(
    (index: number) => {
      const line = lines[index]
      return line ? <DiffRow line={line} /> : null
    },
    [lines],
  )
  return (
    <div className="overflow-hidden rounded border border-line">
      <VirtualLines count={lines.length} label="Lines of the diff" renderLine={renderLine} />
    </div>
  )
}

function DiffRow({ line }: { line: DiffLine }) {
  const { text, rest } = cutLine(line.text)
  const numbered = line.before !== null || line.after !== null
  return (
    <div className={`flex min-w-full ${TONES[line.sign]}`}>
      <span aria-hidden="true" className="w-11 shrink-0 select-none pr-2 text-right text-muted">
        {line.before}
      </span>
      <span aria-hidden="true" className="w-11 shrink-0 select-none pr-2 text-right text-muted">
        {line.after}
      </span>
      <span className="w-4 shrink-0">{numbered ? line.sign : ''}</span>
      <bdi className="pr-4">{visibleText(text)}</bdi>
      {rest ? <span className="text-muted">{rest}</span> : null}
    </div>
  )
}
