import {
  formatCount,
  formatDuration,
  formatInstant,
  formatSize,
  UNKNOWN,
} from '#components/ui/format.ts'
import { type Fact, FactList } from '#components/ui/layout.tsx'
import type { Health } from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

type Program = {
  /** Null = unknown. */
  commit: string | null
  /** Time of the upgrade to the current version; null = unknown. */
  upgradedAt: string | null
  /** The previous version; null = none, or earlier than 0.2.0. */
  upgradedFrom: string | null
}

/** The state of the server, as in /api/v1/health, and its version. */
export function HealthFacts({ health, program }: { health: Health; program: Program }) {
  return (
    <div className="grid gap-x-10 gap-y-4 md:grid-cols-2">
      <FactList facts={[...aboutServer(health, program), ...aboutWork(health)]} />
      <FactList facts={[...aboutDisk(health), ...aboutEvidence(health)]} />
    </div>
  )
}

function aboutServer({ status, version, startedAt, database }: Health, program: Program): Fact[] {
  const { commit, upgradedAt, upgradedFrom } = program
  const from = upgradedFrom === null ? '' : `, from ${upgradedFrom}`
  const { integrity, writable } = database
  return [
    { name: 'Status', value: status },
    { name: 'Version', value: commit === null ? version : `${version} (${commit.slice(0, 8)})` },
    {
      name: 'Last upgrade',
      value: upgradedAt === null ? UNKNOWN : `${formatInstant(upgradedAt)}${from}`,
    },
    { name: 'Started', value: formatInstant(startedAt) },
    {
      name: 'Database',
      value: database.ok ? `readable, ${writable ? 'writable' : 'locked'}` : 'unavailable',
    },
    { name: 'Integrity check', value: integrity ? formatIntegrity(integrity) : UNKNOWN },
  ]
}

function formatIntegrity({ ok, checkedAt }: { ok: boolean; checkedAt: string }): string {
  return `${ok ? 'passed' : 'FAILED'}, ${formatInstant(checkedAt)}`
}

function aboutWork({ queue, worker, backup }: Health): Fact[] {
  return [
    { name: 'Jobs queued', value: formatCount(queue?.queued ?? null) },
    { name: 'Jobs running', value: formatCount(queue?.running ?? null) },
    { name: 'Oldest queued job', value: formatDuration(queue?.oldestQueuedMs ?? null) },
    { name: 'Stuck leases', value: formatCount(queue?.stuckLeases ?? null) },
    { name: 'Workers', value: formatCount(worker?.workers ?? null) },
    { name: 'Last heartbeat', value: formatAge(worker?.lastBeatMs ?? null) },
    { name: 'Last backup', value: formatAge(backup?.lastMs ?? null) },
  ]
}

function formatAge(ms: number | null): string {
  return ms === null ? 'never' : `${formatDuration(ms)} ago`
}

function aboutDisk({ disk }: Health): Fact[] {
  const { freeBytes, minFreeBytes, quotaBytes, data, level } = disk
  const kinds = Object.entries(data ?? {}).map(([name, bytes]) => {
    return { name: KINDS[name] ?? name, value: formatSize(bytes) }
  })
  return [
    { name: 'Disk', value: level },
    { name: 'Free', value: formatSize(freeBytes) },
    { name: 'Reserved', value: formatSize(minFreeBytes) },
    { name: 'Run quota', value: quotaBytes === null ? 'none' : formatSize(quotaBytes) },
    ...kinds,
  ]
}

function aboutEvidence({ leftOut }: Health): Fact[] {
  if (!leftOut) return []
  const value = `${countOf(leftOut.files, 'file')} of ${countOf(leftOut.episodes, 'episode')}`
  return [{ name: 'Evidence not in this data folder', value }]
}

const KINDS: Record<string, string> = {
  database: 'Database file',
  runs: 'Run folders',
  suites: 'Imported suites',
  uploads: 'Uploads',
  backups: 'Backups',
  other: 'Other',
}
