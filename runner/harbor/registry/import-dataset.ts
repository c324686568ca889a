import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addOwnSuite, listSuiteLocations } from '../../kinds/find-suite.ts'
import { suiteError } from '../../runner-error.ts'
import { makeWhole } from '../../scratch.ts'
import type { LeftOutTask } from '../../suites/left-out.ts'
import { describeHarborSuite, loadHarborTasks } from '../load-harbor-suite.ts'
import { fetchTasks } from './fetch-tasks.ts'
import { findDataset } from './read-registry.ts'

/** Says where each task of an imported folder comes from. */
const SOURCES = 'sources.json'

export type ImportedDataset = {
  suite: string
  folder: string
  tasks: number
  leftOut: readonly LeftOutTask[]
}

/**
 * Imports a data set of a registry: copies its tasks into the data folder, and registers them as a private suite. Nothing of
 * them is run. A second call finds what is there. Throws a RunnerError, and leaves no half of it.
 */
export async function importDataset(
  wanted: string,
  { registry, data, report }: { registry: string; data: string; report: (line: string) => void },
): Promise<ImportedDataset> {
  const dataset = await findDataset(wanted, registry)
  const { suiteId } = describeHarborSuite(`${dataset.name.split('/').join('-')}-${dataset.version}`)
  const folder = join(data, 'harbor', suiteId)
  const sources = `${JSON.stringify(dataset, null, 1)}\n`
  const others = listSuiteLocations(data).filter((one) => one.folder !== folder)
  if (others.some((one) => one.suiteId === suiteId))
    throw suiteError(`there is another suite called ${suiteId}: remove it first`)
  if (!existsSync(folder)) {
    await makeWhole(folder, async (draft) => {
      await fetchTasks(dataset.tasks, draft, report)
      await writeFile(join(draft, SOURCES), sources)
      return null
    })
  } else if (readFileSync(join(folder, SOURCES), 'utf8') !== sources) {
    throw suiteError(
      `${folder} has other commits of ${wanted}: remove the folder, then import it again`,
    )
  }
  const { tasks, leftOut } = loadHarborTasks(folder)
  const taken = others.map((one) => one.suiteId)
  await addOwnSuite(data, { suiteId, folder, visibility: 'private' }, taken)
  return { suite: suiteId, folder, tasks: tasks.length, leftOut }
}
