import { join } from 'node:path'
import type { Command } from 'commander'
import { slugSchema } from '#lib/domain/record/index.ts'
import { usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { Admission } from '../suites/exercism/admit-task.ts'
import { fetchTrack } from '../suites/exercism/fetch-track.ts'
import { importTrack } from '../suites/exercism/import-track.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { LazyVerifier } from './open-suite.ts'
import { countOption, nameList } from './options.ts'
import { printJsonResult, printResult, writeError } from './output.ts'

type Options = {
  from: string
  ref?: string
  all?: boolean
  tasks?: string[]
  patched: boolean
  as: string
  concurrency: number
  json?: boolean
}

/** `proofboard suite import exercism`: practice exercises of a track, admitted one by one. */
export function addImportCommand(suite: Command): void {
  suite
    .command('import')
    .description('import a suite: exercism')
    .argument('<track>', 'exercism')
    .requiredOption('--from <dir or git url>', 'where the track is')
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
  const verifier = new LazyVerifier()
  const source = await fetchTrack(options.from, options.ref ?? null)
  try {
    const selection = options.all ? ('all' as const) : (options.tasks ?? null)
    const settings = {
      suiteId: options.as,
      selection,
      patched: options.patched,
      concurrency: options.concurrency,
      onTask: tell,
    }
    const report = await importTrack(
      source,
      join(dataFolder(RUNNER_ENV), 'suites'),
      verifier.get(),
      settings,
    )
    const { admitted, patched, rejected, folder } = report
    if (options.json)
      printJsonResult({
        suite: options.as,
        ref: source.ref,
        admitted: admitted.length,
        patched,
        rejected,
        folder,
      })
    else
      printResult(
        `${admitted.length} admitted (${patched.length} with a note), ${rejected.length} rejected: suite ${options.as} in ${folder}`,
      )
  } finally {
    await verifier.close()
    await source.release()
  }
}

function tell(admission: Admission): void {
  const lines = admission.admitted
    ? [`admitted ${admission.taskId}`, ...admission.patches.map((did) => `         ${did}`)]
    : [`rejected ${admission.taskId}: ${admission.reason}`]
  writeError(lines.join('\n'))
}
