import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { Command } from 'commander'
import type { Verifier } from '#lib/domain/environment.ts'
import {
  type EvaluationLine,
  type EvaluationOrder,
  evaluationOrderSchema,
} from '#lib/domain/evaluation/evaluation.ts'
import { createGate } from '../contracts/exercise/create-gate.ts'
import type { Gate } from '../contracts/exercise/gate-types.ts'
import { listPlaces } from '../contracts/exercise/place/grading-place.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { evaluateStored } from '../regrade/evaluate-stored.ts'
import { findSuitePlace } from '../suites/find-suite.ts'
import { loadSuite } from '../suites/load-suite.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { SuiteError } from '../suites/suite-error.ts'
import { UsageError } from './cli-error.ts'
import { answerJson } from './output.ts'
import { stopSignal } from './stop-signal.ts'

type Options = { order?: string; stopWithStdin?: boolean }

/** `proofboard evaluate`: what strangers stored, judged here; for the worker, which keeps the answers. */
export function addEvaluateCommand(program: Command): void {
  program
    .command('evaluate')
    .description('evaluate uploaded solutions inside bubblewrap; prints one JSON line each')
    .option('--order <file>', 'the episodes (JSON); without it, only prints the verifier')
    .option('--stop-with-stdin', 'stop when stdin closes')
    .action(execute)
}

async function execute({ order: file, stopWithStdin = false }: Options): Promise<void> {
  const signal = stopSignal({ stopWithStdin })
  const order = file === undefined ? null : readOrder(file)
  // A stranger's solutions wait for our own work, not the other way round.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const places = listPlaces().filter(({ sandbox }) => sandbox === 'bubblewrap')
  if (places.length === 0) return refuseAll(order, 'bubblewrap is not installed')
  const gate = createGate({ places })
  try {
    const verifier = await describe(gate)
    if (typeof verifier === 'string') return refuseAll(order, verifier)
    tell({ kind: 'verifier', verifier, why: null })
    if (order) await evaluateAll(order, gate, signal)
  } finally {
    await gate.close()
  }
}

/** Where it judges; a text = why no sandbox works here. */
async function describe(gate: Gate): Promise<Verifier | string> {
  try {
    return (await gate.describe()).verifier
  } catch (error) {
    return (
      String((error as Error).message)
        .trim()
        .split('\n')
        .at(-1)
        ?.slice(0, 300) ?? ''
    )
  }
}

function refuseAll(order: EvaluationOrder | null, why: string): void {
  tell({ kind: 'verifier', verifier: null, why })
  for (const { envelope } of order?.episodes ?? []) {
    const { episodeId } = JSON.parse(envelope) as { episodeId: string }
    tell({ kind: 'evaluated', episodeId, result: 'no-sandbox', reason: why, after: null })
  }
}

async function evaluateAll(
  { suiteId, episodes }: EvaluationOrder,
  gate: Gate,
  signal: AbortSignal,
) {
  const tasks = await loadTasks(suiteId, gate)
  for (const one of episodes) {
    if (signal.aborted) return
    const answer = await evaluateStored(one, { tasks, gate, signal })
    if (answer) tell({ kind: 'evaluated', ...answer })
  }
}

/** A suite that is not here has no tasks: each episode is answered by that. */
async function loadTasks(suiteId: string, gate: Gate) {
  try {
    const { tasks } = await loadSuite(findSuitePlace(suiteId, dataFolder(OWN_ENV)), () => gate)
    return new Map(tasks.map((task) => [task.task.taskId, task]))
  } catch (error) {
    if (error instanceof SuiteError) return new Map<string, never>()
    throw error
  }
}

function readOrder(file: string): EvaluationOrder {
  try {
    return evaluationOrderSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new UsageError(`${file} is not an evaluation request of the worker`)
  }
}

const tell = (line: EvaluationLine): void => answerJson(line)
