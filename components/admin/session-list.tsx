import { ActionForm } from '#components/form/action-form.tsx'
import { formatInstant } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { PlainTable } from '#components/ui/plain-table.tsx'
import type { FormAction } from '#lib/domain/action-result.ts'
import type { SessionView } from '#lib/domain/views/session-view.ts'

type SessionListProps = { sessions: readonly SessionView[]; end: FormAction }

/** The user's sessions, each with a button that ends it. */
export function SessionList({ sessions, end }: SessionListProps) {
  const rows = sessions.map(({ id, userAgent, ipAddress, createdAt, expiresAt, isHere }) => ({
    key: id,
    cells: {
      Browser: [userAgent ?? 'unknown', ipAddress]
        .filter(Boolean)
        .map(String)
        .map(visibleText)
        .join(', '),
      'Signed in': formatInstant(createdAt),
      Expires: formatInstant(expiresAt),
      '': isHere ? (
        'current session'
      ) : (
        <ActionForm
          action={end}
          className="flex flex-wrap items-center gap-2"
          label={`End session of ${formatInstant(createdAt)}`}
          submit="End session"
        >
          <input name="id" type="hidden" value={id} />
        </ActionForm>
      ),
    },
  }))
  return (
    <PlainTable
      caption="Your sessions"
      head={['Browser', 'Signed in', 'Expires', ''] as const}
      rows={rows}
      wide={['Browser', '']}
    />
  )
}
