import { git } from '../sandbox/process/git.ts'
import type { WorkflowEvent } from './workflow-event.ts'

/**
 * The commit that differs from what is checked out in `folder` by the change alone. An event is older than the checkout
 * where the base moved on or was pushed again by force, so history decides where there is one: the first parent of a test
 * merge, else the newest commit that both have. Null = not known.
 */
export async function chooseBase(folder: string, event: WorkflowEvent): Promise<string | null> {
  const run = (...args: string[]) => git(['-C', folder, ...args]).catch(() => '')
  // The commit itself names its parents, also where a shallow clone has none of them.
  const parents = parentsOf(await run('cat-file', 'commit', 'HEAD'))
  const [first = null] = parents
  const own = await run('rev-parse', 'HEAD')
  const isMerge = event.pull !== null && parents.length === 2 && own !== event.head
  if (isMerge && (parents[1] === event.head || own === event.sha)) return first
  if (event.base === null || /^0+$/.test(event.base)) return event.pull === null ? first : null
  const shared = await run('merge-base', event.base, 'HEAD')
  if (shared === '') return event.base
  return shared === own ? first : shared
}

function parentsOf(commit: string): string[] {
  const [head = ''] = commit.split('\n\n')
  return [...head.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map(([, id = '']) => id)
}
