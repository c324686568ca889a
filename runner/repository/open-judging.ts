import { join } from 'node:path'
import { chooseIsolation, findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { dataFolder } from '../suites/project-paths.ts'

/** Chooses the sandbox of set-up and judging: that of the subject, unless it is none and this machine has one. */
export async function openJudging(subject: Isolation | null): Promise<Isolation> {
  if (subject !== null && subject.level !== 'local') return subject
  return chooseIsolation((await findStrongest()).level)
}

/** The cache of prepared repositories; removing it costs the time to prepare them again. */
export function baseCache(env: Record<string, string | undefined>): string {
  return join(dataFolder(env), 'cache', 'bases')
}

/** The store of passed checks of references; removing it costs the time to check them again. */
export function referenceCache(env: Record<string, string | undefined>): string {
  return join(dataFolder(env), 'cache', 'references')
}
