import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { MeasuredEpisode } from '#lib/domain/episode.ts'
import type { Regrade } from '#lib/domain/regrade.ts'
import { systemClock } from '../clock.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { regradeEpisode } from '../regrade/regrade-episode.ts'
import { writeRegrade } from '../regrade/write-regrade.ts'
import { resolveEnvironment } from '../resolve-environment.ts'
import { readSealed } from '../store/read-sealed.ts'
import { RunFolder } from '../store/run-folder.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { UsageError } from './cli-error.ts'
import { LazyGate, openSuite } from './open-suite.ts'
import { runIdOption } from './options.ts'
import { answer, answerJson, complain } from './output.ts'
import { readPlan } from './read-plan.ts'
import { stopSignal } from './stop-signal.ts'

type Options = { run?: string; episode?: string; json?: boolean; stopWithStdin?: boolean }
type Skipped = { episodeId: string; reason: string }

/** `proofboard regrade`: is a verdict still the same. Exit 1 when a regrade does not agree. */
export function addRegradeCommand(program: Command): void {
  program
    .command('regrade')
    .description('grade stored solutions again, and store the result of each episode')
    .argument('[run folder]', 'a folder with plan.json and episodes')
    .option('--run <id>', 'a run id of the data folder', runIdOption)
    .option('--episode <id>', 'only this episode')
    .option('--json', 'print one JSON object as the last line of stdout')
    .option('--stop-with-stdin', 'stop when stdin closes')
    .action(execute)
}

async function execute(place: string | undefined, options: Options): Promise<void> {
  const folder = findFolder(place, options)
  const episodes = choose(readSealed(new RunFolder(folder)), options.episode, folder)
  const gate = new LazyGate()
  const signal = stopSignal({ stopWithStdin: options.stopWithStdin === true })
  try {
    const suite = await openSuite(readPlan(join(folder, 'plan.json')).suiteId, gate)
    const tasks = new Map(suite.tasks.map((task) => [task.task.taskId, task]))
    const local = { isolation: 'local', containerImageDigest: null, tools: {} } as const
    const environment = await resolveEnvironment(local)
    const house = { gate: gate.get(), environment, signal, now: () => systemClock.now() }
    const records: Regrade[] = []
    const skipped: Skipped[] = []
    for (const episode of episodes) {
      if (signal.aborted) break
      const graded = await regradeEpisode(folder, episode, tasks.get(episode.taskId), house)
      if ('skipped' in graded)
        skipped.push({ episodeId: episode.episodeId, reason: graded.skipped })
      else records.push(await writeRegrade(folder, episode, graded.record))
    }
    tell(records, skipped, options)
  } finally {
    await gate.close()
  }
}

function findFolder(place: string | undefined, { run }: Options): string {
  if ((place === undefined) === (run === undefined))
    throw new UsageError('use a run folder or --run <id>, not both')
  const folder = place === undefined ? join(dataFolder(OWN_ENV), 'runs', run ?? '') : resolve(place)
  if (existsSync(join(folder, 'plan.json'))) return folder
  throw new UsageError(
    `${folder} is not a run folder: it has no plan.json; uploaded runs without their files cannot be regraded`,
  )
}

function choose(
  episodes: MeasuredEpisode[],
  wanted: string | undefined,
  folder: string,
): MeasuredEpisode[] {
  const chosen = episodes.filter(({ episodeId }) => wanted === undefined || episodeId === wanted)
  if (chosen.length > 0) return chosen
  throw new UsageError(
    wanted === undefined
      ? `${folder} contains no sealed episode`
      : `${folder} contains no episode ${wanted}`,
  )
}

function tell(records: readonly Regrade[], skipped: readonly Skipped[], { json }: Options): void {
  const disagreeing = records.filter((record) => !record.agrees)
  if (disagreeing.length > 0) process.exitCode = 1
  if (json) {
    const lines = records.map(({ contract: _, findings: __, libraries: ___, ...line }) => line)
    answerJson({
      regraded: records.length,
      agree: records.length - disagreeing.length,
      disagree: disagreeing.length,
      skipped,
      records: lines,
    })
    return
  }
  for (const { episodeId, reason } of skipped) complain(`${episodeId}: not regraded: ${reason}`)
  for (const { episodeId, before, after, path } of disagreeing)
    complain(`${episodeId}: was ${say(before)}, is ${say(after)} (${path})`)
  const agree = records.length - disagreeing.length
  answer(`${records.length} regraded, ${agree} agree, ${disagreeing.length} do not`)
}

function say({ status, verdict }: Regrade['before']): string {
  return `${status} with verdict ${verdict ?? 'none'}`
}
