import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MeasuredEpisode } from '#lib/domain/episode.ts'
import type { Settings } from '#lib/domain/plan.ts'
import { nodeProgram } from '../process/node-program.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { runTool, type ToolEnding } from '../process/run-tool.ts'
import { readSealed } from '../store/read-sealed.ts'
import { RunFolder } from '../store/run-folder.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'
import { attackCommand } from './agent-script.ts'
import type { AgentAttack } from './attack.ts'
import { classifyAgent, type Observation } from './classify.ts'
import { type Canaries, proofsFor } from './plant-canaries.ts'
import { groupByTask } from './play-solution.ts'

export type AgentStage = {
  /** The folder of the suite, as the command line takes it. */
  suiteFolder: string
  isolation: Settings['isolation']
  canaries: Canaries
  signal: AbortSignal
}

const SUBJECT_SECONDS = 30
const MOST_MS = 300_000
// A run that was killed is continued as a person would continue it.
const MOST_STARTS = 3

// The whole program stands in the plan, whose command has a limit; each task adds its file names.
const TASKS_A_RUN = 10

/**
 * Plays an agent's program, as a person would: `proofboard run --command …` in a process of its own, with a provider
 * key in its environment and the planted data folder as its own.
 */
export async function playAgent(
  attack: AgentAttack,
  tasks: readonly LoadedExercise[],
  stage: AgentStage,
): Promise<Map<string, Observation>> {
  const observed = new Map<string, Observation>()
  const size = attack.endsRunner ? 1 : TASKS_A_RUN
  for (let from = 0; from < tasks.length && !stage.signal.aborted; from += size) {
    const played = await playRun(attack, tasks.slice(from, from + size), stage)
    for (const [taskId, one] of played) observed.set(taskId, one)
  }
  return observed
}

async function playRun(
  attack: AgentAttack,
  tasks: readonly LoadedExercise[],
  { suiteFolder, isolation, canaries }: AgentStage,
): Promise<Map<string, Observation>> {
  const { data, key, port } = canaries
  const names = tasks.map(({ task }) => task.taskId)
  const place = { tasks, root: PROJECT_ROOT, data, keyVariable: key.variable, loopbackPort: port }
  const out = join(data, 'runs', `${attack.name}-${names[0]}`)
  const argv = [
    ...[nodeProgram().path, join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs'), 'run'],
    ...['--suite', suiteFolder, '--tasks', names.join(',')],
    ...['--name', 'audit', '--subject-version', '1', '--isolation', isolation],
    ...['--command', attackCommand(attack, place), '--timeout', `${SUBJECT_SECONDS}`],
    ...['--repetitions', `${attack.repetitions ?? 1}`, '--stop-with-stdin', '--out', out, '--json'],
  ]
  const env = { PATH: OWN_ENV.PATH ?? '', PROOFBOARD_DATA_DIR: data, [key.variable]: key.value }
  try {
    const ending = await startOften(argv, env)
    const folder = new RunFolder(out)
    const attempts = groupByTask(readSealed(folder))
    return new Map(
      tasks.map((task) => {
        const own = attempts.get(task.task.taskId) ?? []
        const log = own.map((one) => readLog(folder, one)).join('\n')
        return [task.task.taskId, judge(attack, task, { own, log, canaries, ending })]
      }),
    )
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

type Evidence = {
  own: readonly MeasuredEpisode[]
  log: string
  canaries: Canaries
  ending: ToolEnding
}

function judge(
  attack: AgentAttack,
  { folder, task }: LoadedExercise,
  { own, log, canaries, ending }: Evidence,
): Observation {
  if (own.length === 0)
    return { result: 'unnamed', observed: `the run did not start: ${lastLine(ending)}` }
  const [test] = task.files.test
  const proofs = proofsFor(canaries, test && join(folder, test))
  return classifyAgent(attack, own, { log, proofs })
}

async function startOften(
  argv: readonly string[],
  env: Record<string, string>,
): Promise<ToolEnding> {
  let ending: ToolEnding = { code: null, stdout: '', stderr: '' }
  for (let starts = 0; starts < MOST_STARTS && ending.code === null; starts++)
    ending = await runTool(argv, { env, timeoutMs: MOST_MS, cwd: PROJECT_ROOT })
  return ending
}

function readLog(folder: RunFolder, { taskId, repetition, attempt }: MeasuredEpisode): string {
  const path = join(folder.path, folder.attemptPath(taskId, repetition, attempt), 'subject.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const lastLine = ({ stderr }: ToolEnding) => stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
