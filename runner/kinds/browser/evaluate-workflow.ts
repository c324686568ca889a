import type { Episode } from '#lib/domain/record/index.ts'
import { judgeStoredWorkflow } from '../../engine/judge-stored-workflow.ts'
import type { Evaluated } from '../../engine/stored-solutions.ts'
import type { LoadedWorkflow } from '../../suites/task-folder.ts'

/**
 * Compares the stored state of a workflow's app with its verdict. `drivers` is the digest of the scripts by which this
 * suite drives a library.
 */
export async function evaluateWorkflow(
  folder: string,
  episode: Episode,
  task: LoadedWorkflow,
  drivers: string,
): Promise<Evaluated> {
  const { episodeId, subject } = episode
  const bare = { episodeId, after: null }
  if (task.task.digest !== episode.taskDigest)
    return { ...bare, result: 'no-task', reason: 'this server has another version of the task' }
  const scripts = subject.adapterVersion?.split('+')[1] ?? null
  if (subject.modelRequested === null && (scripts === null || scripts !== drivers))
    return { ...bare, result: 'no-place', reason: 'the scripts that drove it are not this suite’s' }
  const judged = await judgeStoredWorkflow(folder, episode, task)
  if ('missing' in judged) return { ...bare, result: 'no-solution', reason: judged.missing }
  if ('lost' in judged) return { ...bare, result: 'browser', reason: judged.lost }
  const { after, difference, undecided, decided } = judged
  if (difference !== null) return { ...bare, result: 'disagreed', reason: difference, after }
  if (undecided === 0) return { ...bare, result: 'agreed', reason: null, after }
  const reason = decided === 0 ? 'only its page, which is gone, could show the result' : null
  return { ...bare, result: 'browser', reason, after }
}
