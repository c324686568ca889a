import { visibleText } from '#components/format/visible-text.ts'
import type { SaidAssertion } from '#lib/domain/browser/say-assertion.ts'

type AssertionSentencesProps = { assertions: readonly SaidAssertion[]; isPart?: boolean }

/** A contract as sentences, one assertion a line; parts that combine stand below theirs. */
export function AssertionSentences({ assertions, isPart = false }: AssertionSentencesProps) {
  return (
    <ul className={isPart ? undefined : 'border-line border-b'}>
      {assertions.map((assertion, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a contract never changes.
        <li className={isPart ? 'py-1' : 'border-line border-t py-1.5'} key={place}>
          <Sentence assertion={assertion} />
        </li>
      ))}
    </ul>
  )
}

function Sentence({ assertion: { kind, label, sentence, parts } }: { assertion: SaidAssertion }) {
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="untrusted min-w-0 flex-1">{visibleText(label ?? sentence)}</span>
        <span className="text-muted text-xs">{kind}</span>
      </div>
      {label === null ? null : (
        <p className="untrusted text-muted text-xs">{visibleText(sentence)}</p>
      )}
      {parts.length > 0 ? (
        <div className="mt-1 ml-1.5 border-line border-l pl-4">
          <AssertionSentences assertions={parts} isPart />
        </div>
      ) : null}
    </>
  )
}
