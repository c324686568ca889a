import type { Command } from 'commander'
import { slugSchema } from '#lib/domain/record/index.ts'
import { usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { trackAddress } from '../suites/exercism/fetch-track.ts'
import { importExercism } from './fetch-dataset.ts'
import { withVerifier } from './open-suite.ts'
import { countOption, nameList } from './options.ts'
import { printJsonResult, printResult } from './output.ts'

type Options = {
  from?: string
  ref?: string
  all?: boolean
  tasks?: string[]
  patched: boolean
  as: string
  concurrency: number
  json?: boolean
}

/**
 * `proofboard suite import exercism`: practice exercises of a track, admitted one by one. Returns the command, below which
 * extras add others.
 */
export function addImportCommand(suite: Command): Command {
  return suite
    .command('import')
    .description('import a suite: exercism')
    .argument('<track>', 'exercism')
    .option('--from <dir or git url>', 'where the track is (default: the public repository)')
    .option('--ref <sha>', 'commit, tag or branch')
    .option('--all', 'every practice exercise instead of the 25 that ts-bench curated')
    .option('--tasks <a,b>', 'only these exercises', nameList)
    .option('--patched', 'repair known defects of the track, each named on its task', true)
    .option('--no-patched', 'take every exercise as the track has it')
    .option('--as <suite>', 'name of the suite', 'exercism')
    .option('--concurrency <n>', 'concurrent exercises', countOption('--concurrency', 16), 2)
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(execute)
}

async function execute(track: string, options: Options): Promise<void> {
  if (track !== 'exercism') throw usageError(`only "exercism" can be imported, not "${track}"`)
  if (!slugSchema.safeParse(options.as).success)
    throw usageError('--as must be lower-case letters, digits and dashes')
  process.umask(0o077) // references must be readable by the owner only
  const { from = trackAddress(RUNNER_ENV), ref = null, all, tasks = null } = options
  const { as: suiteId, patched, concurrency } = options
  const selection = all ? ('all' as const) : tasks
  return withVerifier(async (verifier) => {
    const request = { suiteId, selection, patched, concurrency }
    const { report, ref: commit } = await importExercism({ from, ref }, request, verifier)
    const { admitted, patched: repaired, rejected, folder } = report
    const count = admitted.length
    if (options.json)
      printJsonResult({
        suite: suiteId,
        ref: commit,
        admitted: count,
        patched: repaired,
        rejected,
        folder,
      })
    else
      printResult(
        `${count} admitted (${repaired.length} with a note), ${rejected.length} rejected: suite ${suiteId} in ${folder}`,
      )
  })
}
