import { type ArmEffect, type ArmsView, formatCostPerGain } from '#lib/domain/compare/index.ts'
import { classNames } from '../ui/class-names.ts'
import { visibleText } from '../ui/format.ts'

const TONES: Partial<Record<string, string>> = { better: 'text-good', worse: 'text-bad' }

/** Each arm against the baseline of its agent: effect, use, cost, and the sample that would be conclusive. */
export function ArmEffects({ arms: { effects, notes } }: { arms: ArmsView }) {
  return (
    <>
      <ul className="max-w-4xl border-line border-b">
        {effects.map((effect) => (
          <EffectItem effect={effect} key={effect.rowId} />
        ))}
      </ul>
      {notes.map((note) => (
        <p className="untrusted mt-2 text-muted" key={note}>
          {visibleText(note)}
        </p>
      ))}
    </>
  )
}

function EffectItem({ effect }: { effect: ArmEffect }) {
  const { agent, sentence, activation, costPerGain, more, difference } = effect
  const kind = difference?.verdict.kind ?? ''
  return (
    <li className="untrusted border-line border-t py-2">
      <p className={classNames('font-medium', TONES[kind])}>{visibleText(sentence)}</p>
      <p className="text-muted">{visibleText(agent)}</p>
      {activation === null ? null : <p>{visibleText(activation)}</p>}
      <p>Cost: {visibleText(formatCostPerGain(costPerGain))}</p>
      {more === null ? null : <p>{more.sentence}</p>}
    </li>
  )
}
