import { countOf } from '#lib/domain/text/index.ts'
import { LineNumber } from '../episode/code-view.tsx'
import { AnsiText } from '../ui/ansi-text.tsx'
import { formatSize } from '../ui/format.ts'
import { cutLine } from '../ui/log-lines.ts'
import { ScrollBox } from '../ui/table.tsx'
import type { ShownFile } from './episode-view.ts'

const MAX_LINES = 2000

/** The beginning of a log, with a link to the complete file. */
export function LogFile({
  shown: { file, state, text },
  href,
}: {
  shown: ShownFile
  href: string
}) {
  if (text === null)
    return (
      <p className="border-line border-y py-4 text-muted">
        This log is not here. The sealed record contains its digest.
      </p>
    )
  if (text === '') return <p className="border-line border-y py-4 text-muted">This log is empty.</p>
  const lines = text.replace(/\n$/, '').split('\n')
  const isPart = state === 'cut' || lines.length > MAX_LINES
  return (
    <div className="overflow-hidden rounded border border-line">
      <ScrollBox
        aria-label={file.role === 'gate-log' ? 'Verifier log' : 'Agent log'}
        className="max-h-[40rem] overflow-auto whitespace-pre bg-surface font-mono text-xs leading-5"
      >
        <div className="w-max min-w-full">
          {lines.slice(0, MAX_LINES).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
            <LogLine key={index} line={line} number={index + 1} />
          ))}
        </div>
      </ScrollBox>
      <p className="border-line border-t bg-sunken px-3 py-1.5 text-muted text-xs">
        {isPart
          ? `The first ${countOf(Math.min(lines.length, MAX_LINES), 'line')} of ${formatSize(file.sizeBytes)}. `
          : `${countOf(lines.length, 'line')}, ${formatSize(file.sizeBytes)}. `}
        <a className="link" href={href}>
          Whole log
        </a>
        {file.droppedBytes > 0
          ? ` The log exceeded its size limit: ${formatSize(file.droppedBytes)} were dropped.`
          : null}
      </p>
    </div>
  )
}

function LogLine({ line, number }: { line: string; number: number }) {
  const { text, rest } = cutLine(line)
  return (
    <div className="flex min-w-full">
      <LineNumber number={number} />
      <bdi className="pr-4">
        <AnsiText find="" line={text} />
      </bdi>
      {rest ? <span className="pr-4 text-muted">{rest}</span> : null}
    </div>
  )
}
