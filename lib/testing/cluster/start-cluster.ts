import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Copy, startCopy } from '../e2e/start-copy.ts'
import { postgresDatabase } from '../factories/postgres.ts'

export type Cluster = {
  webs: readonly Copy[]
  workers: readonly Copy[]
  /** Settings for commands of this board. */
  env: Record<string, string>
  stop: () => Promise<void>
}

/**
 * Starts two web servers and two workers of one board. On PostgreSQL each has its own data folder and all share the
 * folder of secrets, as on several machines; on SQLite all use one data folder.
 */
export async function startCluster(
  kind: 'sqlite' | 'postgresql',
  settings: Record<string, string>,
): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-cluster-'))
  const database = kind === 'postgresql' ? await postgresDatabase({ isEmpty: true }) : null
  const env: Record<string, string> = {
    ...settings,
    ...(database
      ? { DATABASE_URL: database.url, PROOFBOARD_SECRETS_DIR: folder }
      : { PROOFBOARD_DATA_DIR: folder }),
  }
  const started: Copy[] = []
  const stop = async () => {
    await Promise.all(started.map((one) => one.stop()))
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  }
  const start = async (role: 'web' | 'worker') => {
    const copy = await startCopy({ ...env, PROOFBOARD_SERVERS: role })
    started.push(copy)
    return copy
  }
  try {
    const [webs, workers] = await Promise.all([
      Promise.all([start('web'), start('web')]),
      Promise.all([start('worker'), start('worker')]),
    ])
    const [{ dataDir }] = webs
    return { webs, workers, env: { PROOFBOARD_DATA_DIR: dataDir, ...env }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
