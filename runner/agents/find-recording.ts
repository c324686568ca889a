import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subject } from '#lib/domain/subject.ts'
import { parseRecording } from '../gateway/recording/parse-recording.ts'
import type { Recording } from '../gateway/recording/recording.ts'
import { RECORDING_FILE } from '../phases/collect-evidence.ts'
import { AgentError } from './agent-error.ts'

/**
 * The recording of one slot in the folder of a recorded run: its last attempt's. Throws AgentError, in one sentence, when
 * there is none or when it was made with another provider or another version of the agent.
 */
export function findRecording(
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
    throw new AgentError(`${runFolder} holds no recording of ${taskId}, repetition ${repetition}`)
  const parsed = parseRecording(readFileSync(file, 'utf8'))
  if (!parsed.ok) throw new AgentError(`${file}: ${parsed.problem}`)
  const { agent, provider: recordedProvider } = parsed.value.manifest
  if (recordedProvider !== provider)
    throw new AgentError(`${file} was recorded with "${recordedProvider}", not with "${provider}"`)
  if (agent.name !== name || agent.version !== version)
    throw new AgentError(
      `${file} was recorded with ${agent.name} ${agent.version}, not with ${name} ${version}`,
    )
  return parsed.value
}

/** Attempts of a repetition, the last one first. */
function listAttempts(folder: string, repetition: number): string[] {
  if (!existsSync(folder)) return []
  const prefix = `r${repetition}-a`
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
}
