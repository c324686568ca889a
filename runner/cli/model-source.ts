import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plan, Subject } from '#lib/domain/record/index.ts'
import { SCRIPTED } from '#lib/domain/runs/index.ts'
import { pluralForm } from '#lib/domain/text/index.ts'
import { RECORDING_FILE } from '../engine/collect-evidence.ts'
import { openAttemptGateway } from '../gateway/attempt-gateway.ts'
import type { ModelAccess, ModelSource } from '../gateway/model-access.ts'
import { type ModelScript, parseScript, solveScript } from '../gateway/model-script.ts'
import { parseRecording, type Recording } from '../gateway/recording.ts'
import { knownProviders } from '../providers/known-providers.ts'
import { subjectError, usageError } from '../runner-error.ts'
import { isAgentTask, type LoadedTask } from '../suites/task-folder.ts'
import { readInputFile } from './input-files.ts'

export type SourceOptions = {
  script?: string
  record?: boolean
  replay?: string
  providerFile?: string
}

/** Returns the source of the model's responses, by the options of `run`. */
export function readModelSource(
  { script, record = false, replay, providerFile }: SourceOptions,
  { subject }: Plan,
): ModelAccess {
  if (script !== undefined && replay !== undefined)
    throw usageError('use --script or --replay, not both')
  if (record && replay !== undefined) throw usageError('--replay cannot be combined with --record')
  refuseWithoutModel(
    { '--script': script, '--record': record || undefined, '--replay': replay },
    subject,
  )
  const providers = knownProviders(providerFile ?? null)
  const source = sourceOf(script, replay, subject)
  return { source, record, providers, openGateway: openAttemptGateway }
}

/** Without a model there are no responses to script, record or replay. */
function refuseWithoutModel(
  options: Readonly<Record<string, unknown>>,
  { name, modelRequested }: Plan['subject'],
): void {
  const given = Object.keys(options).filter((flag) => options[flag] !== undefined)
  if (modelRequested !== null || given.length === 0) return
  throw usageError(
    `"${name}" does not call a model through the gateway, so ${given.join(', ')} would change nothing: remove ${pluralForm(given.length, 'it', 'them')}`,
    ...given,
  )
}

function sourceOf(
  script: string | undefined,
  replay: string | undefined,
  subject: Plan['subject'],
): ModelSource {
  if (replay !== undefined) {
    const folder = resolve(replay)
    if (!existsSync(folder)) throw usageError(`--replay: no such run folder ${folder}`)
    return {
      kind: 'replay',
      recordingOf: async (taskId, repetition) =>
        findRecording(folder, { taskId, repetition }, subject),
    }
  }
  if (script === undefined && subject.provider !== SCRIPTED) return { kind: 'provider' }
  if (script === undefined || script === 'solve') return { kind: 'scripted', scriptFor: solve }
  const parsed = parseScript(readInputFile(script))
  if (!parsed.ok) throw usageError(`--script ${script}: ${parsed.problem}`)
  return { kind: 'scripted', scriptFor: () => parsed.value }
}

function solve(task: LoadedTask): ModelScript {
  if (isAgentTask(task)) return solveScript(task)
  const { taskId } = task.task
  throw usageError(
    `there is no scripted solution of ${taskId}: write its turns to a file and use --script file.json`,
  )
}

/**
 * Finds the recording of one slot in the folder of a recorded run: its last attempt's. Throws a one-sentence
 * RunnerError if there is none or it was made with another provider or agent version.
 */
function findRecording(
  runFolder: string,
  slot: { taskId: string; repetition: number },
  { name, version, provider }: Pick<Subject, 'name' | 'version' | 'provider'>,
): Recording {
  const { taskId, repetition } = slot
  const folder = join(runFolder, 'episodes', taskId)
  const file = listAttempts(folder, repetition)
    .map((attempt) => join(folder, attempt, RECORDING_FILE))
    .find((path) => existsSync(path))
  if (file === undefined)
    throw subjectError(`${runFolder} contains no recording of ${taskId}, repetition ${repetition}`)
  const parsed = parseRecording(readFileSync(file, 'utf8'))
  if (!parsed.ok) throw subjectError(`${file}: ${parsed.problem}`)
  const { agent, provider: recordedProvider } = parsed.value.manifest
  if (recordedProvider !== provider)
    throw subjectError(`${file} was recorded with "${recordedProvider}", not with "${provider}"`)
  if (agent.name !== name || agent.version !== version)
    throw subjectError(
      `${file} was recorded with ${agent.name} ${agent.version}, not with ${name} ${version}`,
    )
  return parsed.value
}

/** Lists attempts of a repetition, the last one first. */
function listAttempts(folder: string, repetition: number): string[] {
  if (!existsSync(folder)) return []
  const prefix = `r${repetition}-a`
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
}
