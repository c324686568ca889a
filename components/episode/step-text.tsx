import { useState } from 'react'
import { countOf, cutText, parseObject } from '#lib/domain/text/index.ts'
import { AnsiText } from '../ui/ansi-text.tsx'
import { Button } from '../ui/button.tsx'
import { visibleText } from '../ui/format.ts'

const FOLDED_LINES = 12
const FOLDED_CHARS = 1200

/** Text with a terminal's colours; long text is folded. */
export function FoldedText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const lines = text.split('\n')
  const isLong = lines.length > FOLDED_LINES || text.length > FOLDED_CHARS
  const shown =
    isOpen || !isLong ? text : cutText(lines.slice(0, FOLDED_LINES).join('\n'), FOLDED_CHARS)
  return (
    <>
      <pre className="untrusted mt-0.5 whitespace-pre-wrap font-mono text-xs leading-5">
        <AnsiText find="" line={shown} />
        {isOpen || !isLong ? '' : ' …'}
      </pre>
      {isLong ? (
        <Button
          aria-expanded={isOpen}
          className="h-6 px-1"
          onClick={() => setOpen(!isOpen)}
          tone="quiet"
        >
          {isOpen ? 'Show less' : `Show all ${countOf(lines.length, 'line')}`}
        </Button>
      ) : null}
    </>
  )
}

/** Arguments of a tool call by name, with real line breaks instead of `\n`. */
export function ToolArguments({ text }: { text: string }) {
  const given = readCallArguments(text)
  if (given === null) return <FoldedText text={text} />
  return (
    <dl>
      {given.map(([name, value]) => (
        <div className="flex gap-x-2" key={name}>
          <dt className="untrusted mt-0.5 shrink-0 font-mono text-muted text-xs leading-5">
            {visibleText(name)}
          </dt>
          <dd className="min-w-0 flex-1">
            <FoldedText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Parses a call's arguments by name; null if they are not a JSON object, for example when truncated. */
export function readCallArguments(text: string): [name: string, value: string][] | null {
  const given = parseObject(text)
  if (given === null) return null
  return Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value, null, 1),
  ])
}
