import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LibraryFact } from '#lib/domain/axes/library-facts.ts'
import type { Environment } from '#lib/domain/environment.ts'
import { DRIVER_FILE } from '../../suites/read-workflow.ts'
import type { LoadedWorkflow } from '../../suites/task-folder.ts'
import type { LibraryAdapter } from '../library-adapter.ts'
import { countAdapterLines } from './count-adapter-lines.ts'
import { countCodeLines } from './count-code-lines.ts'
import { induceErrors } from './induce-errors.ts'
import { measureTools } from './measure-tools.ts'
import type { MeasureBench } from './open-bench.ts'
import { timeSignIn } from './time-sign-in.ts'
import { weighPages } from './weigh-pages.ts'

export type MeasureParts = {
  bench: MeasureBench
  tasks: readonly LoadedWorkflow[]
  harness: Environment['harness']
  now: () => string
}

/** Everything that is measured of one installed library apart from episodes; takes about half a minute. */
export async function measureLibrary(
  adapter: LibraryAdapter,
  version: string,
  { bench, tasks, harness, now }: MeasureParts,
): Promise<LibraryFact> {
  const play = bench.player(adapter)
  return {
    name: adapter.name,
    version,
    adapterLines: await countAdapterLines(`${adapter.name}.ts`),
    driverLinesPerTask: await countDriverLines(tasks),
    tools: await measureTools(adapter, bench.folder),
    pagesShown: await weighPages(play, bench.apps),
    errors: await induceErrors(play),
    authSetup: await timeSignIn(play, bench.apps),
    measuredAt: now(),
    harness,
  }
}

/** The driver of a task is the same for every library. */
async function countDriverLines(tasks: readonly LoadedWorkflow[]): Promise<Record<string, number>> {
  const counted = tasks.map(async ({ folder, task }): Promise<[string, number]> => {
    return [task.taskId, countCodeLines(await readFile(join(folder, DRIVER_FILE), 'utf8'))]
  })
  return Object.fromEntries(await Promise.all(counted))
}
