import { plural } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import type { SubjectChoice } from '#lib/domain/launch/launch-choices.ts'

/** Subjects that are not available on this machine, each with the reason. */
export function MissingSubjects({ subjects }: { subjects: readonly SubjectChoice[] }) {
  const missing = subjects.filter((subject) => subject.missing !== null)
  if (missing.length === 0) return null
  return (
    <details className="mt-4">
      <summary className="text-muted">
        {plural(missing.length, 'subject')} not available on this machine
      </summary>
      <dl className="mt-2 border-line border-b">
        {missing.map(({ name, title, missing: reason }) => (
          <div
            className="grid gap-x-5 border-line border-t py-1.5 sm:grid-cols-[12rem_minmax(0,1fr)]"
            key={name}
          >
            <dt>{visibleText(title)}</dt>
            <dd className="untrusted text-muted">{visibleText(reason ?? '')}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
