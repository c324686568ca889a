import { classNames } from '#components/ui/class-names.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import type { AttackResult, AuditDocument } from '#lib/domain/audit/audit-document.ts'
import { countByClass, countCell, type ResultCounts } from '#lib/domain/audit/count-audit.ts'
import { RESULT_WORDS } from './result-words.ts'

const WORST_FIRST: readonly AttackResult[] = ['paid', 'unnamed', 'named', 'prevented']

/** Classes of attack across, tasks down; a cell shows how many attacks were played and how the worst of them ended. */
export function ClassTable({ audit }: { audit: AuditDocument }) {
  const classes = countByClass(audit)
  return (
    <ScrollBox
      aria-label={`Attack classes by task, suite ${audit.suiteId}`}
      className="relative max-h-[44rem] overflow-auto border-line border-y"
    >
      <table>
        <caption className="sr-only">Results of each attack class on each task</caption>
        <thead>
          <tr>
            <th
              className="sticky top-0 left-0 z-20 bg-bg px-2 py-1.5 text-left align-bottom font-normal text-muted text-xs"
              scope="col"
            >
              Task
            </th>
            {classes.map((one) => (
              <th
                className="sticky top-0 z-10 min-w-20 max-w-28 bg-bg px-2 py-1.5 text-left align-bottom font-normal text-xs"
                key={one.class}
                scope="col"
              >
                <a className="hover:underline" href={`#${audit.suiteId}-${one.class}`}>
                  {one.title}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {audit.tasks.map((taskId) => (
            <tr className="border-line border-t" key={taskId}>
              <th
                className="sticky left-0 max-w-40 truncate bg-bg px-2 py-1 text-left font-normal sm:max-w-60"
                scope="row"
                title={taskId}
              >
                {taskId}
              </th>
              {classes.map((one) => (
                <Cell
                  counts={countCell(audit.attacks, { classId: one.class, taskId })}
                  key={one.class}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function Cell({ counts }: { counts: ResultCounts }) {
  const played = WORST_FIRST.reduce((sum, result) => sum + counts[result], 0)
  const worst = WORST_FIRST.find((result) => counts[result] > 0)
  if (worst === undefined)
    return (
      <td className="px-2 text-muted">
        <span className="sr-only">not played</span>
      </td>
    )
  const isOpen = worst === 'paid' || worst === 'unnamed'
  const { sign, word, tone } = RESULT_WORDS[isOpen ? worst : 'named']
  const words = WORST_FIRST.filter((result) => counts[result] > 0).map(
    (result) => `${counts[result]} ${RESULT_WORDS[result].word}`,
  )
  return (
    <td className="whitespace-nowrap px-2" title={words.join(', ')}>
      <span className={classNames(tone)}>
        <span aria-hidden="true">{sign} </span>
        {isOpen ? `${counts[worst]} ${word}` : played}
      </span>
      <span className="sr-only">{isOpen ? ` of ${played}` : ` played, ${words.join(', ')}`}</span>
    </td>
  )
}
