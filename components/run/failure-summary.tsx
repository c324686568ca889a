import type { EpisodeCell } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatFailure } from '../ui/format.ts'
import { arrangeMatrix, type MatrixPlan } from './episodes-matrix.tsx'
import { OUTCOME_LABELS, OutcomeGlyph } from './outcome.tsx'

type FailureSummaryProps = {
  plan: MatrixPlan
  episodes: readonly EpisodeCell[]
}

/** Maximum of links per cause; the grid below has all. */
const MAX_LINKS = 8

/** Failures of a run, most frequent cause first; nothing if all are solved. */
export function FailureSummary({ plan, episodes }: FailureSummaryProps) {
  const causes = groupFailures(plan, episodes)
  if (causes.length === 0) return null
  return (
    <section aria-labelledby="failures-title" className="mt-8" id="failures">
      <h2 className="mb-2 font-semibold text-base" id="failures-title">
        Failures by cause
      </h2>
      <ul className="border-line border-b">
        {causes.map(({ status, category, tasks, failed }) => (
          <li
            className="grid gap-x-5 gap-y-1 border-line border-t py-2 sm:grid-cols-[16rem_minmax(0,1fr)]"
            key={`${status} ${category}`}
          >
            <span className="flex items-center gap-2">
              <OutcomeGlyph className="size-5" status={status} />
              <span>
                <span className="font-medium">
                  {category ? formatFailure(category) : OUTCOME_LABELS[status].word}
                </span>{' '}
                <span className="text-muted">
                  {tellsMore(category, status) ? `${OUTCOME_LABELS[status].word}, ` : ''}
                  {countOf(failed.length, 'episode')} on {countOf(tasks, 'task')}
                </span>
              </span>
            </span>
            <span className="untrusted flex min-w-0 flex-wrap gap-x-3 gap-y-2">
              {failed.slice(0, MAX_LINKS).map(({ episodeId, taskId, repetition }) => (
                <a className="link text-xs" href={`/episodes/${episodeId}`} key={episodeId}>
                  {taskId} r{repetition}
                </a>
              ))}
              {failed.length > MAX_LINKS ? (
                <span className="text-muted text-xs">{failed.length - MAX_LINKS} more</span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Cause = {
  status: EpisodeCell['status']
  category: EpisodeCell['failureCategory']
  tasks: number
  failed: EpisodeCell[]
}

/** Groups last attempts that did not solve their task by outcome and category, the most frequent first. */
export function groupFailures(
  plan: FailureSummaryProps['plan'],
  episodes: readonly EpisodeCell[],
): Cause[] {
  const causes = new Map<string, EpisodeCell[]>()
  for (const { slots } of arrangeMatrix(plan, episodes)) {
    for (const { last } of slots) {
      if (last === null || last.status === 'solved') continue
      const key = `${last.status} ${last.failureCategory}`
      const known = causes.get(key)
      if (known) known.push(last)
      else causes.set(key, [last])
    }
  }
  return [...causes.values()]
    .flatMap((failed): Cause[] => {
      const [first] = failed
      if (!first) return []
      const tasks = new Set(failed.map(({ taskId }) => taskId)).size
      return [{ status: first.status, category: first.failureCategory, tasks, failed }]
    })
    .sort((a, b) => b.failed.length - a.failed.length)
}

/** True unless outcome and cause say the same, as with cancelled. */
function tellsMore(category: string | null, status: EpisodeCell['status']): boolean {
  return category !== null && category !== OUTCOME_LABELS[status].word
}
