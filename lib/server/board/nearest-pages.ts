import { decodeParam, nearestNames } from '../../domain/record/index.ts'
import { listPageNames } from './named-rows.ts'
import { findSuiteOf, listSuiteSummaries } from './suites.ts'

export type NearestPage = { name: string; path: string }

/** Pages with names close to the requested one; empty = the address is of another kind. */
export async function nearestPages(path: string): Promise<NearestPage[]> {
  const [room = '', asked = '', sub, task] = path.split(/[?#]/)[0]?.split('/').slice(1) ?? []
  const name = decodeParam(asked).slice(0, MOST_NAME)
  if (room === 'agents') return near(name, await listPageNames('agent'), '/agents')
  if (room === 'models') return near(name, await listPageNames('model'), '/models')
  if (room !== 'suites') return []
  const suite = sub === 'tasks' && task ? await findSuiteOf(name) : null
  if (suite && task) {
    const ids = suite.tasks.map(({ taskId }) => taskId)
    return near(decodeParam(task).slice(0, MOST_NAME), ids, `/suites/${suite.suiteId}/tasks`)
  }
  const suites = await listSuiteSummaries()
  return near(
    name,
    suites.map(({ suiteId }) => suiteId),
    '/suites',
  )
}

const MOST_NAME = 80

function near(wanted: string, names: readonly string[], folder: string): NearestPage[] {
  return nearestNames(wanted, names).map((name) => {
    return { name, path: `${folder}/${encodeURIComponent(name)}` }
  })
}
