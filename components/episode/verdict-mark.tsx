import { Check, CircleHelp, X } from 'lucide-react'
import type { Verdict } from '#lib/domain/contract.ts'

const MARKS = {
  pass: { Icon: Check, tone: 'text-good' },
  fail: { Icon: X, tone: 'text-bad' },
  inconclusive: { Icon: CircleHelp, tone: 'text-warn' },
} as const

/** Sign and word of a verdict; short drops the word where a label follows. */
export function VerdictMark({ verdict, short = false }: { verdict: Verdict; short?: boolean }) {
  const { Icon, tone } = MARKS[verdict]
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium ${tone}`} title={verdict}>
      <Icon aria-hidden className="shrink-0 self-center" size={14} strokeWidth={2.5} />
      <span className={short ? 'sr-only' : undefined}>{verdict}</span>
    </span>
  )
}
