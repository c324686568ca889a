import { OutcomeGlyph, PendingGlyph } from './outcome-glyph.tsx'
import { OUTCOME_ORDER, OUTCOME_WORDS } from './outcome-words.ts'

/** What the cells of the matrix mean. */
export function OutcomeLegend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-xs">
      {OUTCOME_ORDER.map((status) => (
        <li
          className="flex items-center gap-1.5"
          key={status}
          title={OUTCOME_WORDS[status].meaning}
        >
          <OutcomeGlyph className="size-4" status={status} />
          {OUTCOME_WORDS[status].word}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <PendingGlyph className="size-4" /> not sealed yet
      </li>
    </ul>
  )
}
