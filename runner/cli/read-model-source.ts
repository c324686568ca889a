import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { findRecording } from '../agents/find-recording.ts'
import type { GatewayHouse } from '../agents/gateway-house.ts'
import type { ModelSource } from '../agents/model-source.ts'
import { SCRIPTED } from '../agents/providers.ts'
import { solveScript } from '../agents/solve-script.ts'
import { parseScript } from '../gateway/scripted/parse-script.ts'
import type { ModelScript } from '../gateway/scripted/script.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import { UsageError } from './cli-error.ts'
import { readTextFile } from './read-text-file.ts'

export type SourceOptions = { script?: string; record?: boolean; replay?: string }

/** Where the model's answers come from, by the options of `run`. */
export function readModelSource(
  { script, record = false, replay }: SourceOptions,
  { subject }: FrozenPlan,
): GatewayHouse {
  if (script !== undefined && replay !== undefined)
    throw new UsageError('use --script or --replay, not both')
  if (record && replay !== undefined)
    throw new UsageError('--replay cannot be combined with --record')
  return { source: sourceOf(script, replay, subject), record }
}

function sourceOf(
  script: string | undefined,
  replay: string | undefined,
  subject: FrozenPlan['subject'],
): ModelSource {
  if (replay !== undefined) {
    const folder = resolve(replay)
    if (!existsSync(folder)) throw new UsageError(`--replay: no such run folder ${folder}`)
    return {
      kind: 'replay',
      recordingOf: async (taskId, repetition) =>
        findRecording(folder, { taskId, repetition }, subject),
    }
  }
  if (script === undefined && subject.provider !== SCRIPTED) return { kind: 'provider' }
  if (script === undefined || script === 'solve') return { kind: 'scripted', scriptFor: solve }
  const parsed = parseScript(readTextFile(script))
  if (!parsed.ok) throw new UsageError(`--script ${script}: ${parsed.problem}`)
  return { kind: 'scripted', scriptFor: () => parsed.value }
}

function solve(task: LoadedTask): ModelScript {
  if ('reference' in task) return solveScript(task)
  const { taskId } = task.task
  throw new UsageError(`--script solve knows no way through ${taskId}: give --script file.json`)
}
