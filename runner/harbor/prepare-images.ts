import { countOf, type Problem } from '#lib/domain/text/index.ts'
import { isRunnerError, suiteError } from '../runner-error.ts'
import { checkImage } from '../sandbox/isolation/docker/check-image.ts'
import { type LoadedHarbor, stepsOf } from './harbor-folder.ts'
import { prepareImage, prepareServiceImages, prepareVerifierImage } from './image.ts'
import { findServicesRefusal } from './services/find-compose.ts'

type PrepareOptions = {
  /** True if node and an agent run in each image. */
  needsNode: boolean
  report: (line: string) => void
}

/**
 * Pulls or builds the images of all planned tasks, so that an unusable one is reported before anything is paid. Throws
 * a RunnerError with one line per image.
 */
export async function prepareImages(
  tasks: readonly LoadedHarbor[],
  { needsNode, report }: PrepareOptions,
): Promise<void> {
  const problems: Problem[] = []
  for (const [at, task] of tasks.entries()) {
    const { taskId } = task.task
    report(`image ${at + 1} of ${tasks.length}: ${taskId}`)
    try {
      const image = await prepareImage(task)
      await checkImage(image.digest, { what: `the image of ${taskId}`, needsNode })
      for (const step of stepsOf(task)) await prepareVerifierImage(step, image)
      const refusal = await findServicesRefusal(task)
      if (refusal !== null) throw suiteError(refusal)
      await prepareServiceImages(task)
    } catch (error) {
      if (!isRunnerError(error)) throw error
      problems.push({ path: taskId, message: error.message })
    }
  }
  if (problems.length === 0) return
  throw suiteError(
    `${countOf(problems.length, 'task')} of ${tasks.length} cannot be run here: choose others with --tasks`,
    problems,
  )
}
