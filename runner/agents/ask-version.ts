import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureOutput } from '../process/capture-output.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { subjectEnv } from './subject-env.ts'

const LIMIT_MS = 20_000

/**
 * The version an installed agent says it has, or null when it says none within 20 seconds. It is asked like it is run:
 * cleaned environment, fresh HOME, stdin closed.
 */
export async function askVersion(
  { version }: Pick<AgentDefinition, 'version'>,
  binary: string,
  own: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-version-'))
  const place = { home: join(folder, 'home'), temporary: join(folder, 'tmp'), runMark: 'version' }
  try {
    await Promise.all([mkdir(place.home), mkdir(place.temporary)])
    const env = subjectEnv(place, own)
    const limits = { cwd: folder, env, timeoutMs: LIMIT_MS }
    const printed = await captureOutput(binary, version.args, limits)
    return new RegExp(version.pattern).exec(printed)?.[1]?.slice(0, 100) ?? null
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
