import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countOf } from '#lib/domain/text/index.ts'
import { addOwnSuite, listSuiteLocations, removeOwnSuite, whyNoSuite } from '../kinds/find-suite.ts'
import { isSuiteFolder } from '../kinds/kinds.ts'
import { suiteError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { withSuite } from './open-suite.ts'
import { printResult } from './output.ts'

/** `proofboard suite add` and `suite remove`: a user's own suites, from any folder. */
export function addOwnSuiteCommands(suite: Command): void {
  suite
    .command('add')
    .description('register a suite of your own, so that it can be listed and run by its name')
    .argument('<folder>', 'a folder with a suite.json, or of tasks in Harbor’s format')
    .option('--public', 'show it on the board of this machine, with its tasks (default: private)')
    .action(add)
  suite
    .command('remove')
    .description('unregister an added suite; its folder stays')
    .argument('<suite>')
    .action(remove)
}

async function add(place: string, options: { public?: boolean }): Promise<void> {
  const folder = resolve(place)
  if (!isSuiteFolder(folder)) throw suiteError(`${folder} is not a suite: ${whyNoSuite(folder)}`)
  const data = dataFolder(RUNNER_ENV)
  return withSuite(folder, async ({ suite }) => {
    const others = listSuiteLocations(data).filter((one) => one.folder !== folder)
    const visibility = options.public ? 'public' : 'private'
    const taken = others.map(({ suiteId }) => suiteId)
    await addOwnSuite(data, { suiteId: suite.suiteId, folder, visibility }, taken)
    const who = options.public
      ? 'public: the board of this machine shows it after its next start'
      : 'private: only the command line of this machine knows it'
    printResult(`added ${suite.suiteId}, ${countOf(suite.tasks.length, 'task')}, ${who}`)
  })
}

async function remove(suiteId: string): Promise<void> {
  await removeOwnSuite(dataFolder(RUNNER_ENV), suiteId)
  printResult(`removed ${suiteId}`)
}
