import Link from 'next/link'
import { RefusalList } from '#components/board/refusal-list.tsx'
import { visibleText } from '#components/format/visible-text.ts'
import { Command } from '#components/ui/command.tsx'
import { Section } from '#components/ui/section.tsx'
import type { Refusal } from '#lib/domain/board/board-row.ts'
import { describePlan } from '#lib/domain/planner/describe-plan.ts'
import type { Explanation } from '#lib/domain/planner/explain-plan.ts'
import type { PlannerView } from '#lib/domain/views/planner-view.ts'
import { AlternativesTable } from './alternatives-table.tsx'
import { PlanFigures } from './plan-figures.tsx'

type PlanAnswerProps = { answer: NonNullable<PlannerView['answer']> }

/** The estimate of a plan: its power, cost and time. */
export function PlanAnswer({ answer }: PlanAnswerProps) {
  const { explanation, subjectLabel, versusLabel, command, launchQuery } = answer
  const against = versusLabel === null ? '' : ` against ${visibleText(versusLabel)}`
  return (
    <>
      <Section id="answer" title={`${visibleText(subjectLabel)}${against}`}>
        <p className="max-w-4xl text-base">{describePlan(explanation)}</p>
        <p className="mt-2">
          <Link
            className="link"
            href={`/admin/launch?${launchQuery}`}
            prefetch={false}
            rel="nofollow"
          >
            Launch this run{' '}
          </Link>{' '}
          <span className="text-muted">(administrators only)</span>
        </p>
      </Section>
      <PlanDetails explanation={explanation} />
      <Section id="command" title="Command line">
        <Command lines={command.lines} />
        {command.leftOut.length > 0 ? (
          <p className="mt-1 text-muted">
            The command leaves out {command.leftOut.join(', ')}, because these cannot be limited for
            a custom agent.
          </p>
        ) : null}
      </Section>
    </>
  )
}

/** The basis of the estimate, other numbers of repetitions, and the reasons why the entry would not be ranked. */
export function PlanDetails({ explanation }: { explanation: Explanation }) {
  const { aggregate, perTask } = explanation.gate
  return (
    <>
      <Section id="figures" title="Estimates">
        <PlanFigures explanation={explanation} />
      </Section>
      <Section id="alternatives" title="Number of repetitions">
        <AlternativesTable explanation={explanation} />
      </Section>
      <Section id="gate" title="Why this would not be ranked">
        <div className="grid gap-x-10 gap-y-4 lg:grid-cols-2">
          <GatePart refusals={aggregate} title="For the whole suite" />
          <GatePart refusals={perTask} title="For single tasks" />
        </div>
      </Section>
    </>
  )
}

function GatePart({ title, refusals }: { title: string; refusals: readonly Refusal[] }) {
  return (
    <div>
      <h3 className="mb-2 font-medium">{title}</h3>
      {refusals.length === 0 ? (
        <p className="text-muted">No reasons, if every episode is scored.</p>
      ) : (
        <RefusalList refusals={refusals} />
      )}
    </div>
  )
}
