import { randomUUID } from 'node:crypto'
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CappedLog } from '../process/capped-log.ts'
import { runProcess } from '../process/run-process.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { subjectEnv } from './subject-env.ts'

const LIMIT_MS = 20_000
const LIMITS = { timeoutMs: LIMIT_MS, diskQuotaBytes: 1 << 30, maxProcesses: 64, graceMs: 200 }

/**
 * The version an installed agent says it has, or null when it says none within 20 seconds. It is asked like it is run:
 * cleaned environment, fresh HOME, stdin closed, and nothing of it is left.
 */
export async function askVersion(
  { version }: Pick<AgentDefinition, 'version'>,
  binary: string,
  own: Readonly<Record<string, string | undefined>>,
  user: { uid: number; gid: number } | null = null,
): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-version-'))
  const marker = `version-${randomUUID()}`
  const place = { home: join(folder, 'home'), temporary: join(folder, 'tmp'), runMark: marker }
  const log = new CappedLog(join(folder, 'printed'), 64 << 10)
  try {
    await Promise.all([mkdir(place.home), mkdir(place.temporary)])
    if (user)
      for (const path of [folder, place.home, place.temporary])
        await chown(path, user.uid, user.gid)
    await runProcess({
      command: [binary, ...version.args],
      env: subjectEnv(place, own),
      cwd: folder,
      folder,
      marker,
      ...LIMITS,
      ...(user && { user }),
      log,
      signal: new AbortController().signal,
    })
    log.close()
    const printed = await readFile(log.path, 'utf8')
    return new RegExp(version.pattern).exec(printed)?.[1]?.slice(0, 100) ?? null
  } finally {
    log.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
