import { plural } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import type { PairView } from '#lib/domain/compare/comparison.ts'
import { VerdictGlyph } from './verdict-glyph.tsx'

/** So many sentences are read one by one; of more, first those that decide something. */
const MOST_READ = 3

/** Every pair's verdict as a sentence. */
export function VerdictList({ pairs }: { pairs: readonly PairView[] }) {
  if (pairs.length <= MOST_READ) return <Sentences pairs={pairs} />
  const [decided, open] = [pairs.filter(isDecided), pairs.filter((pair) => !isDecided(pair))]
  return (
    <>
      <Sentences pairs={decided} />
      {open.length > 0 ? (
        <details className="mt-1">
          <summary className="min-h-6 text-base text-muted hover:text-ink">
            {plural(open.length, 'pair')} that the evidence cannot tell apart
          </summary>
          <div className="mt-1">
            <Sentences pairs={open} />
          </div>
        </details>
      ) : null}
    </>
  )
}

function isDecided({ result }: PairView): boolean {
  return result.ok && result.verdict.kind !== 'cannot-tell'
}

function Sentences({ pairs }: { pairs: readonly PairView[] }) {
  return (
    <ul className="space-y-1">
      {pairs.map(({ a, b, sentence, result }) => (
        <li className="flex items-baseline gap-2.5 text-base" key={`${a} ${b}`}>
          <VerdictGlyph kind={result.ok ? result.verdict.kind : 'refused'} />
          <span className="untrusted">{visibleText(sentence)}</span>
        </li>
      ))}
    </ul>
  )
}
