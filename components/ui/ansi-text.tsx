import Anser from 'anser'
import { visibleLogText } from '#components/ui/format.ts'

type AnsiTextProps = { line: string; find: string }

/**
 * A log line with colours as classes and search matches marked; never interpreted as HTML. In its own file, so that
 * pages with only a search do not load the parser.
 */
export function AnsiText({ line, find }: AnsiTextProps) {
  const parts = Anser.ansiToJson(visibleLogText(line), { use_classes: true, remove_empty: true })
  return parts.map(({ content, fg, decorations }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line never move.
    <span className={partClass(fg, decorations)} key={index}>
      <Marked find={find} text={content} />
    </span>
  ))
}

function partClass(fg: string | null, decorations: readonly string[]): string | undefined {
  const names = [
    fg && /^ansi-[a-z-]+$/.test(fg) ? fg : '',
    decorations.includes('bold') ? 'font-semibold' : '',
    decorations.includes('underline') ? 'underline' : '',
    decorations.includes('dim') ? 'text-muted' : '',
  ].filter(Boolean)
  return names.length > 0 ? names.join(' ') : undefined
}

function Marked({ text, find }: { text: string; find: string }) {
  if (find === '') return text
  const at = text.toLowerCase().indexOf(find.toLowerCase())
  if (at === -1) return text
  const end = at + find.length
  return (
    <>
      {text.slice(0, at)}
      <mark className="bg-mark text-ink">{text.slice(at, end)}</mark>
      <Marked find={find} text={text.slice(end)} />
    </>
  )
}
