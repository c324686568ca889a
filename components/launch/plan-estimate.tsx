import type { PlannerView } from '#lib/domain/api/index.ts'
import type { RuleRefusal } from '#lib/domain/eligibility/index.ts'
import {
  type Alternative,
  aboutDuration,
  describeCost,
  describePlan,
  describeTime,
  type Explanation,
  formatPoints,
  type PowerMetric,
} from '#lib/domain/planner/index.ts'
import { countOf, formatCost } from '#lib/domain/text/index.ts'
import { RefusalList } from '../board/refusals.tsx'
import { classNames } from '../ui/class-names.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { formatCount, formatPercent, formatUsd, UNKNOWN, visibleText } from '../ui/format.ts'
import { CommandLines, Section } from '../ui/layout.tsx'
import { DataTable } from '../ui/table.tsx'

type PlanAnswerProps = {
  estimate: NonNullable<PlannerView['estimate']>
  /** False = no agent was chosen, so there is an estimate but nothing to launch. */
  isNamed: boolean
}

/** The estimate of a plan: its power, cost and time. */
export function PlanEstimate({ estimate, isNamed }: PlanAnswerProps) {
  const { explanation, subjectLabel, versusLabel, command, launchQuery } = estimate
  const against = versusLabel === null ? '' : ` against ${visibleText(versusLabel)}`
  const who = isNamed ? visibleText(subjectLabel) : 'Any agent'
  return (
    <>
      <Section id="estimate" title={`${who}${against}`}>
        <p className="max-w-4xl text-base">{describePlan(explanation)}</p>
        {isNamed ? (
          <LaunchLink query={launchQuery} />
        ) : (
          <p className="mt-2 text-muted">
            Enter an agent and a model above to estimate cost and time, and to launch the run.
          </p>
        )}
      </Section>
      <PlanDetails explanation={explanation} />
      {isNamed ? <PlanCommandLines command={command} /> : null}
    </>
  )
}

function LaunchLink({ query }: { query: string }) {
  return (
    <p className="mt-2">
      <a
        className="inline-flex h-8 items-center rounded bg-accent px-2.5 font-medium text-accent-ink text-sm hover:opacity-90"
        href={`/admin/launch?${query}`}
        rel="nofollow"
      >
        Launch this run
      </a>{' '}
      <span className="text-muted">
        (administrators only), or run{' '}
        <a className="link" href="#command">
          the command
        </a>
      </span>
    </p>
  )
}

function PlanCommandLines({ command }: Pick<PlanAnswerProps['estimate'], 'command'>) {
  return (
    <Section id="command" title="Command line">
      <CommandLines lines={command.lines} />
      {command.leftOut.length > 0 ? (
        <p className="mt-1 text-muted">
          The command leaves out {command.leftOut.join(', ')}, because these cannot be limited for a
          custom agent.
        </p>
      ) : null}
    </Section>
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

function GatePart({ title, refusals }: { title: string; refusals: readonly RuleRefusal[] }) {
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

type Line = { name: string; value: string; basis: string }

/** The estimates of a plan, each with its basis. */
function PlanFigures({ explanation }: { explanation: Explanation }) {
  return (
    <dl className="border-line border-b">
      {listLines(explanation).map(({ name, value, basis }) => (
        <div
          className="grid gap-x-5 border-line border-t py-2 sm:grid-cols-[14rem_13rem_minmax(0,1fr)]"
          key={name}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="font-medium">{value}</dd>
          <dd className="untrusted text-muted">{basis}</dd>
        </div>
      ))}
    </dl>
  )
}

function listLines(explanation: Explanation) {
  const { halfWidth, detectable, assumptions, cost, time, repetitions, pool } = explanation
  const test =
    repetitions === 1 ? 'Exact McNemar test' : 'Simulated power of the paired sign-flip test'
  const level =
    pool.pairs === 1
      ? 'at the 5\u00a0% level'
      : `at a family-wise error of 5\u00a0% over the ${countOf(pool.pairs, 'pair')} of ${countOf(pool.rows, 'ranked row')} (Holm)`
  const most = (amount: string | null) =>
    amount === null ? '' : ` Its limits allow at most ${amount}.`
  const lines: Line[] = [
    {
      name: 'Detectable difference',
      value: pointsText(detectable),
      basis: `${assumptions.difference} ${test}, 80\u00a0% power ${level}, against an entry with the same tasks and repetitions.${reasonText(detectable)}`,
    },
    {
      name: 'Half-width of the interval',
      value: pointsText(halfWidth),
      basis: `${assumptions.spread} 95\u00a0%, clustered by task.${reasonText(halfWidth)}`,
    },
    {
      name: 'Cost',
      value: describeCost(cost) ?? 'unknown',
      basis: `${cost.basis}${most(cost.atMost === null ? null : formatCost(cost.atMost))}`,
    },
    {
      name: 'Time',
      value: describeTime(time) ?? 'unknown',
      basis: `${time.basis}${most(time.atMost === null ? null : aboutDuration(time.atMost))}`,
    },
  ]
  return lines
}

function pointsText({ value }: PowerMetric): string {
  return value === null ? '–' : formatPoints(value)
}

function reasonText({ reason }: PowerMetric): string {
  return reason === null ? '' : ` ${reason}`
}

const ALTERNATIVE_COLUMNS: readonly DataColumn<Alternative>[] = [
  {
    head: 'Repetitions',
    cell: ({ repetitions, isPlanned }) => (
      <>
        {formatCount(repetitions)}
        {isPlanned ? <span className="font-normal text-muted"> planned</span> : null}
      </>
    ),
    rowHeader: 'font-medium',
    cellClass: 'h-9',
  },
  { head: 'Episodes', cell: ({ episodes }) => formatCount(episodes), numeric: true },
  {
    head: 'Detectable difference, points',
    cell: ({ detectable }) => formatPercent(detectable.value),
    numeric: true,
  },
  {
    head: 'Interval, ± points',
    cell: ({ halfWidth }) => formatPercent(halfWidth.value),
    numeric: true,
  },
  { head: 'Cost (USD)', cell: ({ costMicroUsd }) => formatUsd(costMicroUsd), numeric: true },
]

/** Formats the difference that no number of repetitions detects; success rates differ by 100 points at most. */
export function formatFloor(
  { value, reason }: Pick<PowerMetric, 'value' | 'reason'>,
  tasks: number,
): string {
  if (value === null) return `More repetitions do not help: ${reason}`
  if (value > 1)
    return `With ${countOf(tasks, 'task')}, no number of repetitions detects a difference. Add tasks.`
  return `With ${countOf(tasks, 'task')}, more repetitions cannot detect differences below ${formatPoints(value)}. Add tasks instead.`
}

function AlternativesTable({ explanation }: { explanation: Explanation }) {
  const { alternatives, floor, tasks, tasksNeeded, repetitions } = explanation
  return (
    <>
      <DataTable
        caption="The same plan with other numbers of repetitions"
        cellClass="whitespace-nowrap px-2"
        columns={ALTERNATIVE_COLUMNS}
        headClass="h-9 border-line-strong border-b px-2 text-muted text-xs"
        keyOf={({ repetitions }) => repetitions}
        rowProps={({ isPlanned }) => ({
          'aria-current': isPlanned ? 'true' : undefined,
          className: classNames('border-line border-t', isPlanned && 'bg-accent-soft'),
        })}
        rows={alternatives}
        scroll={{ name: 'Table of repetitions' }}
      />
      <p className="mt-2 max-w-4xl text-muted">
        {formatFloor(floor, tasks)}{' '}
        {tasksNeeded
          .map(
            ({ difference, tasks: needed }, index) =>
              `${index === 0 ? 'Detecting ' : ''}${formatPoints(difference)} takes ${needed.value === null ? UNKNOWN : countOf(needed.value, 'task')}`,
          )
          .join(', ')}{' '}
        with {repetitions === 1 ? 'one repetition' : countOf(repetitions, 'repetition')}.
      </p>
    </>
  )
}
