import { database } from '#lib/db/database.ts'
import { findRemoteRun, type RemoteShard } from '#lib/db/remote-run-store.ts'
import type { MachinesView, MachineView } from '#lib/domain/api/index.ts'
import { EXECUTOR_TITLES } from '#lib/domain/executors/index.ts'
import { hostId } from '#lib/setup/host.mjs'
import { findHolderHost } from '../../db/job-lease.ts'

/** Returns the shards of a run on other machines; null = it ran here or was uploaded. */
export async function getMachines(runId: string): Promise<MachinesView | null> {
  const remote = await findRemoteRun(database(), runId)
  if (!remote) return null
  const { executor, engineUrl, parts } = remote
  const machines = parts.map(describe)
  return { executor, title: EXECUTOR_TITLES[executor], engineUrl, machines }
}

function describe({ journal, reportedAt, ...part }: RemoteShard): MachineView {
  const { number, state, tries, host, planned, sealed, reason } = part
  const isLost = state === 'given-up' || state === 'cancelled'
  const begun = journal.filter((line) => line.includes('"event":"attempt-started"')).length
  return {
    number,
    state,
    tries,
    host,
    planned,
    sealed,
    reason,
    lost: isLost ? begun : 0,
    reportedAt: reportedAt?.toISOString() ?? null,
  }
}

/** Returns the other machine on which a run is active; null = this one, none, or unknown. */
export async function findOtherHost(runId: string): Promise<string | null> {
  const host = await findHolderHost(database(), runId)
  return host === hostId() ? null : host
}
