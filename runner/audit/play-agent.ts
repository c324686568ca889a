import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
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

export type AgentStage = {
  /** The folder of the suite, as the command line takes it. */
  suiteFolder: string
  isolation: Settings['isolation']
  canaries: Canaries
}

const SUBJECT_SECONDS = 30
const MOST_MS = 300_000
// A run that was killed is continued as a person would continue it.
const MOST_STARTS = 3

/**
 * Plays an agent's program on one task, as a person would: `proofboard run --command …` in a process of its own, with a
 * provider key in its environment and the planted data folder as its own.
 */
export async function playAgent(
  attack: AgentAttack,
  task: LoadedExercise,
  { suiteFolder, isolation, canaries }: AgentStage,
): Promise<Observation> {
  const { taskId, files } = task.task
  const { data, key, port } = canaries
  const place = { task, root: PROJECT_ROOT, data, keyVariable: key.variable, loopbackPort: port }
  const out = join(data, 'runs', `${attack.name}-${taskId}`)
  const argv = [
    ...[nodeProgram().path, join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs'), 'run'],
    ...['--suite', suiteFolder, '--tasks', taskId, '--name', 'audit', '--subject-version', '1'],
    ...['--command', attackCommand(attack, place), '--isolation', isolation],
    ...['--timeout', `${SUBJECT_SECONDS}`, '--out', out, '--json'],
    ...['--repetitions', `${attack.repetitions ?? 1}`, '--stop-with-stdin'],
  ]
  const env = { PATH: OWN_ENV.PATH ?? '', PROOFBOARD_DATA_DIR: data, [key.variable]: key.value }
  try {
    const ending = await startOften(argv, env)
    const folder = new RunFolder(out)
    const attempts = readSealed(folder)
    if (attempts.length === 0)
      return { result: 'unnamed', observed: `the run did not start: ${lastLine(ending)}` }
    const proofs = proofsFor(canaries, files.test[0] && join(task.folder, files.test[0]))
    const log = attempts
      .map(({ repetition, attempt }) => readLog(folder, taskId, repetition, attempt))
      .join('\n')
    return classifyAgent(attack, attempts, { log, proofs })
  } finally {
    await rm(out, { recursive: true, force: true })
  }
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

function readLog(folder: RunFolder, taskId: string, repetition: number, attempt: number): string {
  const path = join(folder.path, folder.attemptPath(taskId, repetition, attempt), 'subject.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const lastLine = ({ stderr }: ToolEnding) => stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
