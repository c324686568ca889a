import type { RunView } from '#lib/domain/api/index.ts'
import { expandPlan } from '#lib/domain/record/index.ts'
import { elapsedMs, formatDuration, formatInstant, visibleText } from '../ui/format.ts'
import { CommandLines, PageHeading, Section } from '../ui/layout.tsx'
import type { MatrixPlan } from './episodes-matrix.tsx'
import { PlanFacts } from './run-facts.tsx'

type RunProps = { run: RunView; suiteTitle: string }

/** Subject, suite and times of a run. */
export function RunHeading({ run, suiteTitle }: RunProps) {
  const { plan, condition, startedAt, endedAt, createdAt } = run
  const since = startedAt ?? createdAt
  return (
    <PageHeading
      title={visibleText(run.subjectLabel)}
      trail={
        <>
          <a className="link" href="/runs">
            Runs
          </a>{' '}
          / <code className="text-xs">{run.runId}</code>
        </>
      }
    >
      {plan.subject.kind} on{' '}
      <a className="link" href={`/?suite=${encodeURIComponent(run.suiteId)}`}>
        {suiteTitle}
      </a>
      {condition ? ` · ${visibleText(condition)}` : ''}
      {since ? `, ${startedAt ? 'started' : 'stored since'} ${formatInstant(since)}` : ''}
      {endedAt ? `, duration ${formatDuration(elapsedMs(startedAt, endedAt))}` : ''}
    </PageHeading>
  )
}

/** The plan, and the commands that reproduce the run. */
export function PlanSections({ run, suiteTitle }: RunProps) {
  return (
    <>
      <Section id="plan" title="Plan">
        <PlanFacts run={run} suiteTitle={suiteTitle} />
      </Section>
      {run.reproduce.length > 0 ? (
        <Section id="reproduce" title="Reproduce">
          <CommandLines lines={run.reproduce} />
        </Section>
      ) : null}
    </>
  )
}

/** Returns the parts of a plan that the matrix needs. Arms of slots are resolved on the server. */
export function matrixPlan(plan: RunView['plan']): MatrixPlan {
  const { suiteId, tasks, repetitions, topUpOf } = plan
  const slots = plan.arms && expandPlan(plan)
  return {
    suiteId,
    tasks,
    repetitions,
    ...(topUpOf && { topUpOf }),
    ...(slots && {
      armSlots: slots.map(({ taskId, repetition, arm = '' }) => ({ taskId, repetition, arm })),
    }),
  }
}
