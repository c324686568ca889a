import { database } from '#lib/db/database.ts'
import { sumPruned } from '#lib/db/pruned-store.ts'
import { env } from '#lib/env.ts'
import { recentProblems } from '#lib/log.ts'
import { backupFolder, listBackups } from '#lib/server/care/backup-folders.ts'
import { getHealth } from '#lib/server/care/get-health.ts'
import { currentProgram, findLastUpgrade } from '#lib/server/care/start-database.ts'

export type SystemView = Awaited<ReturnType<typeof getSystem>>

/** Returns everything on the system page for administrators. */
export async function getSystem(now: Date) {
  const { dataDir, logFile, logQuotaBytes, keepLogsDays } = env()
  const health = await getHealth(now)
  return {
    health,
    program: await readProgram(health.database.ok),
    dataDir,
    logFile,
    backupPlace: backupFolder(),
    backups: listBackups(backupFolder()),
    retention: {
      quotaBytes: logQuotaBytes,
      keepDays: keepLogsDays,
      pruned: health.database.ok ? await sumPruned(database()) : null,
    },
    recentProblems: recentProblems(),
  }
}

async function readProgram(isReadable: boolean) {
  const last = isReadable ? await findLastUpgrade(database()) : null
  const { commit } = currentProgram()
  return { commit, upgradedAt: last?.at ?? null, upgradedFrom: last?.from?.version ?? null }
}
