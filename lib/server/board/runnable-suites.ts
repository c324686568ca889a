import { database } from '../../db/database.ts'
import { listSuites } from '../../db/suite-store.ts'
import type { Suite } from '../../domain/tasks/index.ts'

const FIRST = 'typescript'

/** Lists the suites that can be run here, without those of other programs, which have results only. */
export async function listRunnable(): Promise<Suite[]> {
  const suites = await listSuites(database())
  return inOrder(suites.filter(({ kind }) => kind !== 'reported'))
}

/** Sorts the suite that most visitors look for first. */
export function inOrder<S extends { suiteId: string }>(suites: readonly S[]): S[] {
  return [...suites].sort((a, b) => Number(b.suiteId === FIRST) - Number(a.suiteId === FIRST))
}
