import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  escrowLockSchema,
  escrowTrialSchema,
  type ReadJob,
  readJobTerms,
} from '#lib/domain/formats/index.ts'
import { withDefaultLimits } from '#lib/domain/planner/index.ts'
import type { Escrow, Subject } from '#lib/domain/record/index.ts'
import { completeSettings } from '#lib/domain/settings/index.ts'
import { listNames } from '#lib/domain/text/index.ts'
import { readJsonFile } from '../cli/input-files.ts'
import type { PlanOptions } from '../cli/plan-options.ts'
import type { FrozenParts, LoadedSuite } from '../kinds/kind.ts'
import { usageError } from '../runner-error.ts'
import { chooseAskedTasks } from '../suites/select-tasks.ts'
import type { LoadedHarbor } from './harbor-folder.ts'

/**
 * Resolves a plan that Harbor itself runs: agent, model and terms from the configuration of the job, Harbor's version
 * and checksums from an earlier job on the same tasks, such as one of the oracle.
 */
export function freezeEscrow(options: PlanOptions, suite: LoadedSuite<LoadedHarbor>): FrozenParts {
  const { escrow: file = '', rehearsal } = options
  if (rehearsal === undefined)
    throw usageError(
      '--escrow requires --rehearsal: the folder of an earlier job on these tasks (harbor run --agent oracle …)',
      '--rehearsal',
    )
  const job = readJob(file, options)
  const chosen = chooseAskedTasks(suite.tasks, options)
  refuseUnjudgeable(chosen)
  const { version, trials } = readRehearsal(rehearsal)
  const tasks = chosen.map((task): [string, Escrow['tasks'][string]] => {
    const { taskId, place } = task.task
    const found = trials.find(({ folder }) => folder === taskId)
    if (!found) throw usageError(`${rehearsal} has no trial of ${taskId}`, '--rehearsal')
    return [taskId, { name: found.name, checksum: found.checksum, workdir: place.workdir ?? '/' }]
  })
  const limited = withDefaultLimits(options.settings, { kind: suite.suite.kind, hasPrice: true })
  return {
    subject: subjectOf(job, version, options),
    chosen,
    settings: completeSettings({ ...limited, isolation: 'docker' }),
    warnings: [],
    escrow: { harness: 'harbor', version, terms: job.terms, tasks: Object.fromEntries(tasks) },
  }
}

function readJob(file: string, { repetitions }: PlanOptions): ReadJob {
  const read = readJobTerms(readJsonFile(file))
  if (!read.ok) {
    const [{ path, message } = { path: '', message: 'cannot be read' }] = read.problems
    throw usageError(`${file}: ${path} ${message}`, '--escrow')
  }
  if (read.value.attempts === repetitions) return read.value
  throw usageError(
    `${file} has n_attempts ${read.value.attempts}: use --repetitions ${read.value.attempts}`,
    '--repetitions',
  )
}

function subjectOf(
  { agent }: ReadJob,
  harbor: string,
  { agentVersion = agent.version ?? undefined }: PlanOptions,
): Subject {
  if (agentVersion === undefined)
    throw usageError(
      `the version of ${agent.name} is unknown: use --agent-version with the version that the results state`,
      '--agent-version',
    )
  return {
    kind: 'agent',
    name: `harbor-${agent.name}`,
    version: agentVersion,
    adapterVersion: `harbor-${harbor}`,
    provider: agent.provider,
    modelRequested: agent.model,
  }
}

/** Only files can be handed in: the final state of a container is its whole image. */
function refuseUnjudgeable(tasks: readonly LoadedHarbor[]): void {
  const refused = tasks.flatMap(({ task: { taskId, place }, refusal, unproven }) => {
    const why =
      refusal ?? unproven ?? (place.kind === 'image' ? `needs its image: ${place.why}` : null)
    return why === null ? [] : `${taskId} ${why}`
  })
  if (refused.length > 0)
    throw usageError(
      `these tasks cannot be judged again from files: ${listNames(refused, 3)}; choose others with --tasks`,
      '--tasks',
    )
}

type Rehearsed = { folder: string; name: string; checksum: string }

function readRehearsal(folder: string): { version: string; trials: Rehearsed[] } {
  const lock = escrowLockSchema.safeParse(readJsonFile(join(folder, 'lock.json')))
  if (!lock.success) throw usageError(`${folder} has no lock.json of a Harbor job`, '--rehearsal')
  const results = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name, 'result.json'))
    .filter((path) => existsSync(path))
  const trials = results.flatMap((path): Rehearsed[] => {
    const { data } = escrowTrialSchema.safeParse(readJsonFile(path))
    if (data === undefined) return []
    const { path: place, name } = data.config.task
    const own = basename(place ?? name ?? data.task_name).toLowerCase()
    return [{ folder: own, name: data.task_name, checksum: data.task_checksum }]
  })
  return { version: lock.data.harbor.version, trials }
}
