import { database } from '../../db/database.ts'
import { listSuites } from '../../db/suite-store.ts'
import type { Suite } from '../../domain/tasks/index.ts'

const FIRST = 'typescript'

/** The suites that can be run here: of another program's there are only results. */
export async function listRunnable(): Promise<Suite[]> {
  const suites = await listSuites(database())
  return inOrder(suites.filter(({ kind }) => kind !== 'reported'))
}

/** The suite that a visitor looks for first is first. */
export function inOrder<S extends { suiteId: string }>(suites: readonly S[]): S[] {
  return [...suites].sort((a, b) => Number(b.suiteId === FIRST) - Number(a.suiteId === FIRST))
}
