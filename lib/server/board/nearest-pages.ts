import { database } from '../../db/database.ts'
import { listEpisodeIdsLike, listRunIdsLike } from '../../db/ids-like.ts'
import { AXIS_SLUGS } from '../../domain/reports/index.ts'
import { decodeParam, nearestNames } from '../../domain/text/index.ts'
import { listPageNames } from './named-rows.ts'
import { findSuiteOf, listSuiteSummaries } from './suites.ts'

export type NearestPage = { name: string; path: string }

/** Lists pages with names close to the requested one; empty = the URL is of another kind. */
export async function nearestPages(path: string): Promise<NearestPage[]> {
  const suiteAsked = requestedSuite(path)
  if (suiteAsked !== null) return near(suiteAsked, await listSuiteIds(), `${pathOf(path)}?suite=`)
  const [room = '', requested = '', sub, task] = pathOf(path).split('/').slice(1)
  const name = decodeParam(requested).slice(0, MAX_NAME)
  if (room === 'history')
    return near(requestedSubject(path), await listPageNames('agent'), '/agents/')
  if (room === 'agents') return near(name, await listPageNames('agent'), '/agents/')
  if (room === 'models') return near(name, await listPageNames('model'), '/models/')
  if (room === 'reports') return near(name, AXIS_SLUGS, '/reports/')
  if (room === 'runs') return linked(await listRunIdsLike(database(), name), '/runs/')
  if (room === 'episodes') return linked(await listEpisodeIdsLike(database(), name), '/episodes/')
  if (room !== 'suites') return []
  const suite = sub === 'tasks' && task ? await findSuiteOf(name) : null
  if (suite && task) {
    const ids = suite.tasks.map(({ taskId }) => taskId)
    return near(decodeParam(task).slice(0, MAX_NAME), ids, `/suites/${suite.suiteId}/tasks/`)
  }
  return near(name, await listSuiteIds(), '/suites/')
}

const MAX_NAME = 80

/** Returns the suite that the query of the leaderboard or a report names; null = none, or it is another page. */
export function requestedSuite(path: string): string | null {
  const here = pathOf(path)
  if (here !== '/' && !/^\/(?:reports(?:\/|$)|runs$)/.test(here)) return null
  return new URLSearchParams(path.split('?')[1]).get('suite')?.slice(0, MAX_NAME) ?? null
}

/** Returns the subject whose history is requested. */
function requestedSubject(path: string): string {
  return new URLSearchParams(path.split('?')[1]).get('subject')?.slice(0, MAX_NAME) ?? ''
}

function pathOf(path: string): string {
  return path.split(/[?#]/)[0] ?? ''
}

async function listSuiteIds(): Promise<string[]> {
  return (await listSuiteSummaries()).map(({ suiteId }) => suiteId)
}

function near(wanted: string, names: readonly string[], before: string): NearestPage[] {
  return linked(nearestNames(wanted, names), before)
}

function linked(names: readonly string[], before: string): NearestPage[] {
  return names.map((name) => ({ name, path: `${before}${encodeURIComponent(name)}` }))
}
