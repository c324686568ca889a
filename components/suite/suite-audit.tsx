import {
  ATTACK_CLASSES,
  type AttackClassId,
  type AttackOutcome,
  type AttackResult,
  type AuditDocument,
  countAudit,
  countByClass,
  countCell,
  type ResultCounts,
} from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { classNames } from '../ui/class-names.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { formatCount, formatDuration, formatInstant, UNKNOWN, visibleText } from '../ui/format.ts'
import { FactList, Section } from '../ui/layout.tsx'
import { PlainTable } from '../ui/plain-table.tsx'
import { DataTable } from '../ui/table.tsx'

type SuiteAuditProps = { title: string; audit: AuditDocument; isOutdated: boolean }

/** The latest audit of one suite: totals, classes by task, then all attacks. */
export function SuiteAudit({ title, audit, isOutdated }: SuiteAuditProps) {
  const counts = countAudit(audit)
  const isSound = counts.solved + counts.unnamed === 0
  return (
    <Section aside={formatInstant(audit.auditedAt)} id={audit.suiteId} title={title}>
      {isOutdated ? (
        <p className="mb-2 text-warn">
          This audit is for another version of the suite. Run{' '}
          <code>proofboard audit {audit.suiteId}</code> to update it.
        </p>
      ) : null}
      <p className="mb-3 text-base">
        {countOf(counts.attacks, 'attack')} of {countOf(counts.classes, 'class')} on{' '}
        {countOf(counts.tasks, 'task')}:{' '}
        <strong className={auditTone(isSound, isOutdated)}>
          {counts.solved} succeeded, {counts.unnamed} undetected
        </strong>
        , {formatCount(counts.named)} detected, {formatCount(counts.prevented)} prevented.
      </p>
      <div className="mb-4 grid gap-x-8 md:grid-cols-2">
        <FactList facts={listFacts(audit)} />
        <FactList facts={listSkipped(audit)} />
      </div>
      <ClassTable audit={audit} title={title} />
      <details className="mt-3">
        <summary className="cursor-pointer">{`All ${countOf(counts.attacks, 'attack')}`}</summary>
        {countByClass(audit).map((one) => (
          <AttackTable audit={audit} classId={one.class} key={one.class} />
        ))}
      </details>
    </Section>
  )
}

/** The colour of an audit's result; an audit of another version proves nothing. */
export function auditTone(isSound: boolean, isOutdated: boolean): string {
  if (!isSound) return 'text-bad'
  return isOutdated ? 'text-warn' : 'text-good'
}

function listFacts({ harness, suiteVersion, isolation, asRoot, node, durationMs }: AuditDocument) {
  const commit = harness.commit?.slice(0, 12) ?? UNKNOWN
  return [
    { name: 'Suite version', value: suiteVersion ?? UNKNOWN },
    {
      name: 'Harness',
      value: `${harness.version}, commit ${commit}${harness.dirty ? ', with local changes' : ''}`,
    },
    { name: 'Isolation', value: `${isolation}${asRoot ? ', runner is root' : ''}` },
    { name: 'Node', value: `${node}, ${formatDuration(durationMs)}` },
  ]
}

function listSkipped({ skipped }: AuditDocument) {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  if (reasons.length === 0) return [{ name: 'Skipped', value: 'none' }]
  return reasons.map((reason) => {
    const own = skipped.filter((one) => one.reason === reason)
    const pairs = own.reduce((sum, { tasks }) => sum + tasks, 0)
    return {
      name: 'Skipped',
      value: `${countOf(pairs, 'pair')} of ${countOf(own.length, 'attack')}: ${reason}`,
    }
  })
}

const WORST_FIRST: readonly AttackResult[] = ['paid', 'unnamed', 'named', 'prevented']

/** Tasks by attack class; a cell shows the number of attacks and the worst result. */
function ClassTable({ audit, title }: { audit: AuditDocument; title: string }) {
  const classes = countByClass(audit)
  return (
    <DataTable
      caption="Results of each attack class on each task"
      className=""
      columns={[
        {
          head: 'Task',
          cell: (taskId) => taskId,
          cellTitle: (taskId) => taskId,
          rowHeader: 'font-normal',
          headClass: 'left-0 z-20 text-muted',
          cellClass: 'sticky left-0 max-w-40 truncate bg-bg py-1 sm:max-w-60',
        },
        ...classes.map((one) => classColumn(audit, one)),
      ]}
      cellClass="px-2"
      headClass="sticky top-0 bg-bg px-2 py-1.5 align-bottom text-xs"
      keyOf={(taskId) => taskId}
      rows={audit.tasks}
      scroll={{
        name: `Attack classes by task: ${title}`,
        className: 'relative max-h-[44rem] overflow-auto border-line border-y',
      }}
    />
  )
}

function classColumn(
  audit: AuditDocument,
  { class: classId, title }: ReturnType<typeof countByClass>[number],
): DataColumn<string> {
  const countsOf = (taskId: string) => countCell(audit.attacks, { classId, taskId })
  return {
    id: classId,
    head: (
      <a className="hover:underline" href={`#${audit.suiteId}-${classId}`}>
        {title}
      </a>
    ),
    headClass: 'z-10 min-w-20 max-w-28',
    cell: (taskId) => <AuditCell counts={countsOf(taskId)} />,
    cellTitle: (taskId) => resultWords(countsOf(taskId)) || undefined,
    cellClass: (taskId) => (worstOf(countsOf(taskId)) ? 'whitespace-nowrap' : 'text-muted'),
  }
}

function worstOf(counts: ResultCounts): AttackResult | undefined {
  return WORST_FIRST.find((result) => counts[result] > 0)
}

function resultWords(counts: ResultCounts): string {
  return WORST_FIRST.filter((result) => counts[result] > 0)
    .map((result) => `${counts[result]} ${AUDIT_RESULT_LABELS[result].word}`)
    .join(', ')
}

function AuditCell({ counts }: { counts: ResultCounts }) {
  const played = WORST_FIRST.reduce((sum, result) => sum + counts[result], 0)
  const worst = worstOf(counts)
  if (worst === undefined) return <span className="sr-only">not run</span>
  const isOpen = worst === 'paid' || worst === 'unnamed'
  const { sign, word, tone } = AUDIT_RESULT_LABELS[isOpen ? worst : 'named']
  return (
    <>
      <span className={classNames(tone)}>
        <span aria-hidden="true">{sign} </span>
        {isOpen ? `${counts[worst]} ${word}` : played}
      </span>
      <span className="sr-only">{isOpen ? ` of ${played}` : ` run, ${resultWords(counts)}`}</span>
    </>
  )
}

const HEAD = ['Attack', 'Description', 'Result'] as const

/** All attacks of one class with their results. */
function AttackTable({ audit, classId }: { audit: AuditDocument; classId: AttackClassId }) {
  const about = ATTACK_CLASSES.find(({ id }) => id === classId)
  const rows = audit.attacks
    .filter((attack) => attack.class === classId && attack.outcomes.length > 0)
    .map(({ name, summary, outcomes }) => ({
      key: name,
      cells: {
        Attack: <code className="text-xs">{name}</code>,
        Description: summary,
        Result: <Outcomes of={outcomes} />,
      },
    }))
  return (
    <div className="mt-5" id={`${audit.suiteId}-${classId}`}>
      <h3 className="font-medium">{about?.title}</h3>
      <p className="mb-1 text-muted">{about?.text}</p>
      <PlainTable
        caption={`Attacks: ${about?.title}`}
        head={HEAD}
        rows={rows}
        wide={['Description', 'Result']}
      />
    </div>
  )
}

function Outcomes({ of: outcomes }: { of: readonly AttackOutcome[] }) {
  return (
    <ul>
      {outcomes.map(({ result, observed, tasks }) => {
        const { word, sign, tone } = AUDIT_RESULT_LABELS[result]
        return (
          <li key={`${result} ${observed}`} title={tasks.join(', ')}>
            <span className={classNames(tone)}>
              <span aria-hidden="true">{sign} </span>
              {word}
            </span>{' '}
            on {countOf(tasks.length, 'task')}: {visibleText(observed)}
          </li>
        )
      })}
    </ul>
  )
}

/** Each attack result: name, description, colour and sign. */
export const AUDIT_RESULT_LABELS: Readonly<
  Record<AttackResult, { word: string; sign: string; text: string; tone: string }>
> = {
  paid: {
    word: 'succeeded',
    sign: '✕',
    text: 'The attack was scored as solved or reached its goal.',
    tone: 'text-bad',
  },
  unnamed: {
    word: 'undetected',
    sign: '?',
    text: 'The attack gained nothing, but the evidence does not show it.',
    tone: 'text-warn',
  },
  named: {
    word: 'detected',
    sign: '✓',
    text: 'A finding, a failed check or the list of restored files shows the attack.',
    tone: 'text-good',
  },
  prevented: {
    word: 'prevented',
    sign: '–',
    text: 'The goal was out of reach and the attempt failed.',
    tone: 'text-muted',
  },
}
