import type { Plan, Settings } from '#lib/domain/record/index.ts'
import { usageError } from '../runner-error.ts'
import { findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import { type AgentTask, isHarbor } from '../suites/task-folder.ts'
import type { AskedSettings } from './options.ts'

/** The level that the plan freezes. A control is a function of ours and starts no program. */
export async function resolveLevel(
  { isolation = 'auto' }: AskedSettings,
  { kind }: Plan['subject'],
  chosen: readonly AgentTask[],
): Promise<Settings['isolation']> {
  if (kind === 'control') return isolation === 'auto' ? 'local' : isolation
  const needed = findNeeded(chosen)
  if (isolation === 'auto') return needed?.level ?? (await findStrongest()).level
  const isEnough = needed === null || isolation === 'docker' || isolation === needed.level
  if (isEnough) return isolation
  throw usageError(`${needed.why}: use --isolation ${needed.level}`, '--isolation')
}

/** What tasks in Harbor's format need; null = no level in particular, where it is the strongest that is not local. */
function findNeeded(
  chosen: readonly AgentTask[],
): { level: 'bubblewrap' | 'docker'; why: string } | null {
  const tasks = chosen.filter(isHarbor).map(({ task }) => task)
  for (const { taskId, place } of tasks)
    if (place.kind === 'image')
      return { level: 'docker', why: `${taskId} needs docker, because ${place.why}` }
  const [first] = tasks
  if (first === undefined) return null
  const why = `${first.taskId} works in paths such as /app and /tests, which only a sandbox can show`
  return { level: 'bubblewrap', why }
}
