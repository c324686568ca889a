import { git } from '../sandbox/process/git.ts'
import type { WorkflowEvent } from './workflow-event.ts'

/**
 * Chooses the commit that differs from the checkout in `folder` by the change alone. An event is older than the
 * checkout if the base moved on or was force-pushed, so the history decides if there is one: the first parent of a test
 * merge, else the newest common commit. Null = unknown.
 */
export async function chooseBase(folder: string, event: WorkflowEvent): Promise<string | null> {
  const run = (...args: string[]) => git(['-C', folder, ...args]).catch(() => '')
  // The commit itself names its parents, even if a shallow clone has none of them.
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
