import { useState } from 'react'
import { countOf, cutText } from '#lib/domain/record/index.ts'
import { AnsiText } from '../ui/ansi-text.tsx'
import { Button } from '../ui/button.tsx'
import { visibleText } from '../ui/format.ts'

const FOLDED_LINES = 12
const FOLDED_CHARS = 1200

/** A text as it was said, with a terminal's colours; a long one is cut until it is expanded. */
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

/** What a tool was called with: each argument under its name, and a text with its lines instead of `\n`. */
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

/** The arguments of a call by name; null where they are no JSON object, as in one that was cut. */
export function readCallArguments(text: string): [name: string, value: string][] | null {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null
  return Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value, null, 1),
  ])
}
