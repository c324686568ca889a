import { plural } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { classNames } from '#components/ui/class-names.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import { ATTACK_CLASSES, type AttackClassId } from '#lib/domain/audit/attack-classes.ts'
import type { AttackOutcome, AuditDocument } from '#lib/domain/audit/audit-document.ts'
import { RESULT_WORDS } from './result-words.ts'

const HEAD = ['Attack', 'What it does', 'Result'] as const

/** Every attack of one class, with what became of it. */
export function AttackTable({ audit, classId }: { audit: AuditDocument; classId: AttackClassId }) {
  const about = ATTACK_CLASSES.find(({ id }) => id === classId)
  const rows = audit.attacks
    .filter((attack) => attack.class === classId && attack.outcomes.length > 0)
    .map(({ name, summary, outcomes }) => ({
      key: name,
      cells: {
        Attack: <code className="text-xs">{name}</code>,
        'What it does': summary,
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
        wide={['What it does', 'Result']}
      />
    </div>
  )
}

function Outcomes({ of: outcomes }: { of: readonly AttackOutcome[] }) {
  return (
    <ul>
      {outcomes.map(({ result, observed, tasks }) => {
        const { word, sign, tone } = RESULT_WORDS[result]
        return (
          <li key={`${result} ${observed}`} title={tasks.join(', ')}>
            <span className={classNames(tone)}>
              <span aria-hidden="true">{sign} </span>
              {word}
            </span>{' '}
            on {plural(tasks.length, 'task')}: {visibleText(observed)}
          </li>
        )
      })}
    </ul>
  )
}
