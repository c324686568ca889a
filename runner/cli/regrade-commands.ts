import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import {
  type Episode,
  type EvaluationLine,
  type EvaluationRequest,
  evaluationRequestSchema,
  type Regrade,
  type Verifier,
} from '#lib/domain/record/index.ts'
import { lastLine } from '#lib/domain/text/index.ts'
import { systemClock } from '../engine/clock.ts'
import { readSealed } from '../engine/envelopes.ts'
import { evaluateStored } from '../engine/evaluate-stored.ts'
import { regradeEpisode, writeRegrade } from '../engine/regrade.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { findSuiteLocation, listSuiteLocations } from '../kinds/find-suite.ts'
import { findKind } from '../kinds/kinds.ts'
import { loadSuite } from '../kinds/load-suite.ts'
import type { BaseSettings } from '../repository/prepare-base.ts'
import { isRunnerError, usageError } from '../runner-error.ts'
import { chooseIsolation, findStrongest } from '../sandbox/isolation/choose-isolation.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { suiteFileSchema } from '../suites/suite-file.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import { createVerifier } from '../verify/exercise/create-verifier.ts'
import { answerFinder } from '../verify/exercise/find-answers.ts'
import { listGradingSandboxes } from '../verify/exercise/grading-sandbox.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import { readJsonFile } from './input-files.ts'
import { LazyVerifier, openSuite } from './open-suite.ts'
import { runIdOption } from './options.ts'
import { commandSignal, printJsonResult, printResult, writeError } from './output.ts'
import { readPlan } from './read-files.ts'
import { withJudging } from './with-judging.ts'

type RegradeOptions = { run?: string; episode?: string; json?: boolean; stopWithStdin?: boolean }
type Skipped = { episodeId: string; reason: string }

/** `proofboard regrade`: judges stored solutions again. Exit 1 if a verdict differs. */
export function addRegradeCommand(program: Command): void {
  program
    .command('regrade')
    .description('grade stored solutions again, and store the result of each episode')
    .argument('[run folder]', 'a folder with plan.json and episodes')
    .option('--run <id>', 'a run id of the data folder', runIdOption)
    .option('--episode <id>', 'only this episode')
    .option('--json', 'print one JSON object as the last line of stdout')
    .option('--stop-with-stdin', 'stop when stdin closes')
    .action(regrade)
}

async function regrade(place: string | undefined, options: RegradeOptions): Promise<void> {
  const folder = findFolder(place, options)
  const episodes = choose(readSealed(new RunFolder(folder)), options.episode, folder)
  const verifier = new LazyVerifier()
  const signal = commandSignal({ stopWithStdin: options.stopWithStdin === true })
  try {
    const suite = await openSuite(readPlan(join(folder, 'plan.json')).suiteId, verifier)
    const tasks = new Map(suite.tasks.map((task) => [task.task.taskId, task]))
    const local = { isolation: 'local', containerImageDigest: null, tools: {} } as const
    const environment = await resolveEnvironment(local)
    const judge = suite.kind.stored?.judge ?? null
    const records: Regrade[] = []
    const skipped: Skipped[] = []
    const gradeAll = async (judging: BaseSettings | null) => {
      const now = () => systemClock.now()
      const deps = { judge, verifier: verifier.get(), judging, environment, signal, now }
      for (const episode of episodes) {
        if (signal.aborted) break
        const task = tasks.get(episode.taskId)
        const graded = await regradeEpisode(folder, episode, task, deps).catch((error) => {
          if (!signal.aborted) throw error
          return null
        })
        if (graded === null) break
        if ('skipped' in graded)
          skipped.push({ episodeId: episode.episodeId, reason: graded.skipped })
        else records.push(await writeRegrade(folder, episode, graded.record))
      }
    }
    await (suite.kind.stored?.needsSandbox ? withJudging(gradeAll) : gradeAll(null))
    printRegrades(records, skipped, options)
    if (signal.aborted) process.exitCode = 130
  } finally {
    await verifier.close()
  }
}

function findFolder(place: string | undefined, { run }: RegradeOptions): string {
  if ((place === undefined) === (run === undefined))
    throw usageError('use a run folder or --run <id>, not both')
  const folder =
    place === undefined ? join(dataFolder(RUNNER_ENV), 'runs', run ?? '') : resolve(place)
  if (existsSync(join(folder, 'plan.json'))) return folder
  throw usageError(
    `${folder} is not a run folder: it has no plan.json; uploaded runs without their files cannot be regraded`,
  )
}

function choose(episodes: Episode[], wanted: string | undefined, folder: string): Episode[] {
  const chosen = episodes.filter(({ episodeId }) => wanted === undefined || episodeId === wanted)
  if (chosen.length > 0) return chosen
  throw usageError(
    wanted === undefined
      ? `${folder} contains no sealed episode`
      : `${folder} contains no episode ${wanted}`,
  )
}

function printRegrades(
  records: readonly Regrade[],
  skipped: readonly Skipped[],
  { json }: RegradeOptions,
): void {
  const disagreeing = records.filter((record) => !record.agrees)
  if (disagreeing.length > 0) process.exitCode = 1
  if (json) {
    const lines = records.map(({ contract: _, findings: __, libraries: ___, ...line }) => line)
    printJsonResult({
      regraded: records.length,
      agree: records.length - disagreeing.length,
      disagree: disagreeing.length,
      skipped,
      records: lines,
    })
    return
  }
  for (const { episodeId, reason } of skipped) writeError(`${episodeId}: not regraded: ${reason}`)
  for (const { episodeId, before, after, path } of disagreeing)
    writeError(`${episodeId}: was ${say(before)}, is ${say(after)} (${path})`)
  const agree = records.length - disagreeing.length
  printResult(`${records.length} regraded, ${agree} agree, ${disagreeing.length} do not`)
}

function say({ status, verdict }: Regrade['before']): string {
  return `${status} with verdict ${verdict ?? 'none'}`
}

type EvaluateOptions = { order?: string; stopWithStdin?: boolean }

/** `proofboard evaluate`: evaluates uploaded solutions here, for the worker, which stores the results. */
export function addEvaluateCommand(program: Command): void {
  program
    .command('evaluate')
    .description('evaluate uploaded solutions in bubblewrap or docker; prints one JSON line each')
    .option('--order <file>', 'the episodes (JSON); without it, only prints the verifier')
    .option('--stop-with-stdin', 'stop when stdin closes')
    .action(evaluate)
}

/** Sandboxes in which untrusted code may run. */
const FOR_UNTRUSTED: ReadonlySet<string> = new Set(['bubblewrap', 'docker'])

async function evaluate({ order: file, stopWithStdin = false }: EvaluateOptions): Promise<void> {
  const signal = commandSignal({ stopWithStdin })
  const order = file === undefined ? null : readOrder(file)
  // Uploaded solutions yield to local work.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const places = listGradingSandboxes().filter(({ sandbox }) => FOR_UNTRUSTED.has(sandbox))
  const verifier = createVerifier({ places })
  try {
    const found =
      places.length === 0 ? 'neither bubblewrap nor docker is installed' : await describe(verifier)
    if (typeof found === 'string') {
      printEvaluation({ kind: 'verifier', verifier: null, why: found })
      if (order) await evaluateUnsandboxed(order, found, verifier, signal)
      return
    }
    printEvaluation({ kind: 'verifier', verifier: found, why: null })
    if (order) await evaluateAll(order, verifier, signal)
  } finally {
    await verifier.close()
  }
}

/** Returns the verifier's sandbox; a text = why no sandbox works here. */
async function describe(verifier: ExerciseVerifier): Promise<Verifier | string> {
  try {
    return (await verifier.describe()).verifier
  } catch (error) {
    return lastLine(String((error as Error).message))
  }
}

/** Workflows are judged by their stored state, which runs no code; everything else needs a sandbox. */
async function evaluateUnsandboxed(
  order: EvaluationRequest,
  why: string,
  verifier: ExerciseVerifier,
  signal: AbortSignal,
) {
  if (isJudgedByState(order.suiteId)) return evaluateAll(order, verifier, signal)
  for (const { envelope } of order.episodes) {
    const { episodeId } = JSON.parse(envelope) as { episodeId: string }
    printEvaluation({
      kind: 'evaluated',
      episodeId,
      result: 'no-sandbox',
      reason: why,
      after: null,
    })
  }
}

function isJudgedByState(suiteId: string): boolean {
  const place = listSuiteLocations(dataFolder(RUNNER_ENV)).find((one) => one.suiteId === suiteId)
  const file = place && join(place.folder, 'suite.json')
  if (file === undefined || !existsSync(file)) return false
  const about = suiteFileSchema.safeParse(readJsonFile(file)).data
  return about !== undefined && findKind(about.kind)?.stored === null
}

async function evaluateAll(
  { suiteId, episodes, arms = [] }: EvaluationRequest,
  verifier: ExerciseVerifier,
  signal: AbortSignal,
) {
  const { tasks, stored, evaluateState } = await loadTasks(suiteId, verifier)
  const findAnswer = answerFinder([...tasks.values()])
  const answerAll = async (judging: BaseSettings | null) => {
    for (const one of episodes) {
      if (signal.aborted) return
      const context = {
        tasks,
        stored,
        evaluateState,
        verifier,
        judging,
        signal,
        findAnswer,
        arms,
      }
      const result = await evaluateStored(one, context)
      if (result) printEvaluation({ kind: 'evaluated', ...result })
    }
  }
  // Untrusted code never runs in a weaker sandbox, whatever this machine uses for its own work.
  const { level } = stored?.needsSandbox ? await findStrongest() : { level: 'local' as const }
  await (level === 'local' ? answerAll(null) : withJudging(answerAll, chooseIsolation(level)))
}

async function loadTasks(suiteId: string, verifier: ExerciseVerifier) {
  try {
    const suite = await loadSuite(
      findSuiteLocation(suiteId, dataFolder(RUNNER_ENV)),
      () => verifier,
    )
    const tasks = new Map<string, LoadedTask>(suite.tasks.map((task) => [task.task.taskId, task]))
    const { stored, evaluateState } = suite.kind
    return { tasks, stored, evaluateState: evaluateState?.(suite) }
  } catch (error) {
    if (isRunnerError(error, 'suite'))
      return { tasks: new Map<string, never>(), stored: null, evaluateState: undefined }
    throw error
  }
}

function readOrder(file: string): EvaluationRequest {
  const parsed = evaluationRequestSchema.safeParse(readJsonFile(file))
  if (parsed.success) return parsed.data
  throw usageError(`${file} is not an evaluation request of the worker`)
}

const printEvaluation = (line: EvaluationLine): void => printJsonResult(line)
