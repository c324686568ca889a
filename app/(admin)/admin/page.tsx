import type { Metadata } from 'next'
import { AuditTable } from '#components/admin/audit.tsx'
import { formatCount, formatDuration, formatSize, UNKNOWN } from '#components/ui/format.ts'
import { FactList, PageHeading, Section } from '#components/ui/layout.tsx'
import type { Health } from '#lib/domain/reports/index.ts'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { getAudit } from '#lib/server/board/get-audit.ts'
import { getHealth } from '#lib/server/care/get-health.ts'
import { guardPage } from '#lib/server/http/guard.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Administration' }

const NEWEST = 10

/** The administrator's overview: account, queue and recent activity. */
export default async function AdminPage() {
  const actor = await guardPage()
  const { role } = actor
  const [health, audit] = await Promise.all([
    getHealth(new Date()),
    showTo(actor, await getAudit({ actor: '', action: '', target: '', page: 1 })),
  ])
  return (
    <>
      <PageHeading title="Administration">
        {role === 'admin'
          ? 'You have full access. Every change is recorded in the audit log.'
          : 'You have read-only access and can change only your own password.'}
      </PageHeading>
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <FactList facts={queueFacts(health)} />
        <FactList facts={LINKS.map(([href, title, words]) => link(href, title, words))} />
      </div>
      <Section
        aside={
          <a className="link" href="/admin/audit">
            View all
          </a>
        }
        id="last"
        title="Recent activity"
      >
        <AuditTable lines={audit.lines.slice(0, NEWEST)} />
      </Section>
    </>
  )
}

function queueFacts({ queue, worker, disk }: Health) {
  const beat = worker?.lastBeatMs ?? null
  return [
    { name: 'Running', value: formatCount(queue?.running ?? null) },
    { name: 'Waiting', value: formatCount(queue?.queued ?? null) },
    { name: 'Longest wait', value: formatDuration(queue?.oldestQueuedMs ?? null) },
    {
      name: 'Worker',
      value: worker?.alive
        ? 'alive'
        : `not seen${beat === null ? '' : ` for ${formatDuration(beat)}`}`,
    },
    { name: 'Free disk', value: disk.freeBytes === null ? UNKNOWN : formatSize(disk.freeBytes) },
  ]
}

const LINKS = [
  ['/admin/launch', 'Launch', 'configure and start a run'],
  ['/admin/queue', 'Queue', 'running and waiting jobs'],
  ['/admin/uploads', 'Uploads', 'import results from CI'],
  ['/admin/accounts', 'Accounts', 'users and your password'],
  ['/admin/tokens', 'Tokens', 'access for CI and other programs'],
  ['/admin/system', 'System', 'health, disk and backups'],
] as const

function link(href: string, title: string, words: string) {
  return {
    name: title,
    value: (
      <a className="link" href={href}>
        {words}
      </a>
    ),
  }
}
