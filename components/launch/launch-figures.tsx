import {
  aboutDuration,
  describeCost,
  describeTime,
  type Explanation,
} from '#lib/domain/planner/index.ts'
import { formatQueueWait, type WaitForecast } from '#lib/domain/runs/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { FactList } from '../ui/layout.tsx'

type LaunchFiguresProps = { explanation: Explanation; wait: WaitForecast; concurrency: number }

/** Cost and time of a launch with their sources, the wait, and whether it can be ranked. */
export function LaunchFigures({ explanation, wait, concurrency }: LaunchFiguresProps) {
  const { cost, time, gate } = explanation
  const refusals = gate.aggregate.length
  const facts = [
    {
      name: 'Cost',
      value: <Figure basis={cost.basis} isGuess={cost.isGuess} text={describeCost(cost)} />,
    },
    {
      name: 'Time',
      value: <Figure basis={time.basis} isGuess={time.isGuess} text={describeTime(time)} />,
    },
    { name: 'Starts', value: waitText(wait) },
    { name: 'Concurrency', value: slotsText(wait.slots, concurrency) },
    {
      name: 'Ranking',
      value:
        refusals === 0 ? (
          'can be ranked, if every episode is scored'
        ) : (
          <a className="link" href="#gate">
            not ranked, for {countOf(refusals, 'reason')}
          </a>
        ),
    },
  ]
  return (
    <div className="mt-3">
      <FactList facts={facts} />
    </div>
  )
}

type FigureProps = { text: string | null; basis: string; isGuess: true | undefined }

function Figure({ text, basis, isGuess }: FigureProps) {
  return (
    <>
      <span className="font-medium">{text ?? 'unknown'}</span>
      {isGuess ? <span className="font-medium text-warn"> first guess</span> : null}
      <span className="block text-muted text-xs">{basis}</span>
    </>
  )
}

/** Formats `in about 5 min, after 2 jobs (machine full: needs 2 slots, 0 free)`. */
export function waitText({ ahead, reason, ms }: WaitForecast): string {
  if (reason === null) return 'at once'
  const when =
    ms === null ? 'when jobs before it end, time unknown' : `in up to ${aboutDuration(ms)}`
  return `${when}; ${countOf(ahead, 'job')} before it (${formatQueueWait(reason)})`
}

function slotsText(slots: number, concurrency: number): string {
  const text = countOf(slots, 'episode')
  return slots < concurrency
    ? `${text}, not ${concurrency}: the machine or the provider allows no more`
    : text
}
