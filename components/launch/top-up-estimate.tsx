import type { TopUpView } from '#lib/domain/api/index.ts'
import type { TaskNeed } from '#lib/domain/planner/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { RefusalList } from '../board/refusals.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { UNKNOWN, visibleText } from '../ui/format.ts'
import { CommandLines, Section, ShortDigest } from '../ui/layout.tsx'
import { Notice } from '../ui/notice.tsx'
import { DataTable } from '../ui/table.tsx'

type TopUpAnswerProps = { view: TopUpView; perTask: boolean }

/** The missing episodes of an entry and the plan that adds them, or why no plan can. */
export function TopUpEstimate({ view, perTask }: TopUpAnswerProps) {
  const { result, rowId, refusals } = view
  if (!result.ok) {
    return (
      <>
        <Notice title="No top-up possible">
          <p className="untrusted">{result.refusal.reason}</p>
        </Notice>
        {perTask ? null : <GoalSwitch perTask={perTask} rowId={rowId} />}
        {refusals.length > 0 ? (
          <Section id="refusals" title="Why this entry is not ranked">
            <RefusalList refusals={refusals} />
          </Section>
        ) : null}
      </>
    )
  }
  return <TopUpPlan perTask={perTask} result={result} view={view} />
}

type TopUpPlanProps = TopUpAnswerProps & { result: Extract<TopUpView['result'], { ok: true }> }

function TopUpPlan({ view, perTask, result }: TopUpPlanProps) {
  const { rowId, runIds } = view
  const { planDigest, episodes, needs, unmended } = result
  const tasks = needs.filter(({ planned }) => planned.length > 0).length
  const href = `/api/v1/rows/${rowId}/top-up${perTask ? '?goal=per-task' : ''}`
  return (
    <>
      <p className="max-w-4xl text-base">
        {countOf(episodes, 'episode')} on {countOf(tasks, 'task')}{' '}
        {perTask
          ? 'are missing for a result per task.'
          : 'are missing for a ranked result over the suite.'}{' '}
        The plan runs exactly these, with the same subject and settings as the entry.
      </p>
      <GoalSwitch perTask={perTask} rowId={rowId} />
      {unmended.length > 0 ? (
        <Section id="unmended" title="Reasons that more episodes do not fix">
          <RefusalList refusals={unmended} />
        </Section>
      ) : null}
      <Section id="plan" title="Plan">
        <p className="mb-2">
          <a className="link" download="plan.json" href={href}>
            Download plan.json
          </a>{' '}
          <ShortDigest digest={planDigest} />
        </p>
        <p className="mb-2 max-w-4xl text-muted">
          The plan is frozen when you download it. Its digest does not depend on the time of the
          download. Episodes have to start after it.
        </p>
        <CommandLines lines={['npx proofboard run --plan plan.json --out top-up']} />
        <p className="mt-3 mb-2 max-w-4xl text-muted">
          The new top-up/result.json extends {countOf(runIds.length, 'run')} of this entry. Upload
          it the same way as those. To check the combined entry first:
        </p>
        <CommandLines lines={[`npx proofboard check ${checkedFiles(runIds)} top-up/result.json`]} />
      </Section>
      <Section id="needs" title="Episodes per task">
        <NeedsTable needs={needs} />
      </Section>
    </>
  )
}

function GoalSwitch({ rowId, perTask }: { rowId: string; perTask: boolean }) {
  const goals = [
    { isChosen: !perTask, href: `/plan?topUp=${rowId}`, text: 'Whole suite' },
    { isChosen: perTask, href: `/plan?topUp=${rowId}&goal=per-task`, text: 'Each task' },
  ]
  return (
    <nav aria-label="Goal" className="mt-3 flex flex-wrap gap-1">
      {goals.map(({ isChosen, href, text }) => (
        <a
          aria-current={isChosen ? 'true' : undefined}
          className="inline-flex h-8 items-center rounded border border-line bg-surface px-2.5 hover:border-line-strong aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft"
          href={href}
          key={href}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}

function checkedFiles(runIds: readonly string[]): string {
  return runIds.map((runId) => `${runId}/result.json`).join(' ')
}

const NEED_COLUMNS: readonly DataColumn<TaskNeed>[] = [
  {
    head: 'Task',
    cell: ({ taskId }) => visibleText(taskId),
    rowHeader: 'font-normal',
    headClass: 'pl-0',
    cellClass: 'untrusted h-9 min-w-24',
  },
  { head: 'Scored', cell: ({ scored }) => scored, numeric: true, className: 'pl-3' },
  { head: 'Excluded or missing', cell: ({ holes }) => holes, numeric: true, className: 'pl-3' },
  {
    head: 'Planned',
    cell: ({ planned }) => planned.length,
    numeric: true,
    className: 'pl-3',
    cellClass: ({ planned }) => (planned.length > 0 ? 'font-medium' : 'text-muted'),
  },
  {
    head: 'Repetitions',
    cell: ({ planned }) => rangeText(planned),
    numeric: true,
    // A phone has room for the number only.
    className: 'pl-3 max-sm:hidden',
    cellClass: 'whitespace-nowrap text-muted',
  },
]

/** The scored and missing episodes of each task, and what the top-up adds. */
function NeedsTable({ needs }: { needs: readonly TaskNeed[] }) {
  return (
    <DataTable
      caption="Scored, missing and planned episodes per task"
      columns={NEED_COLUMNS}
      keyOf={({ taskId }) => taskId}
      rows={needs}
      scroll={{ name: 'Missing episodes per task' }}
    />
  )
}

/** Formats consecutive numbers: `4`, or `4–9`. */
function rangeText(planned: readonly number[]): string {
  const [first, last] = [planned[0], planned.at(-1)]
  if (first === undefined || last === undefined) return UNKNOWN
  return first === last ? String(first) : `${first}–${last}`
}
