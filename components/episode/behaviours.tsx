import type { ReactNode } from 'react'
import type { BehaviourResult } from '#lib/domain/transcript/index.ts'
import { visibleText } from '../ui/format.ts'

const VERDICTS = {
  pass: { word: 'yes', className: 'text-good' },
  fail: { word: 'no', className: 'text-bad' },
  inconclusive: { word: 'unknown', className: 'text-muted' },
} as const

type BehavioursProps = {
  behaviour: readonly BehaviourResult[]
  /** Draws the links to these steps. */
  renderSteps: (steps: readonly number[]) => ReactNode
}

/** The behaviours that the task's author expected, and whether the transcript shows them. */
export function Behaviours({ behaviour, renderSteps }: BehavioursProps) {
  if (behaviour.length === 0) return null
  return (
    <div className="border-line border-b bg-surface px-3 py-2">
      <p className="text-muted text-xs">Expected behaviour. It does not affect the score.</p>
      <ul className="mt-1 space-y-1">
        {behaviour.map(({ sentence, verdict, observed, steps }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sealed transcript never changes.
          <li className="untrusted" key={place}>
            {visibleText(sentence)}:{' '}
            <strong className={VERDICTS[verdict].className}>{VERDICTS[verdict].word}</strong>{' '}
            <span className="text-muted">({visibleText(observed)})</span> {renderSteps(steps)}
          </li>
        ))}
      </ul>
    </div>
  )
}
