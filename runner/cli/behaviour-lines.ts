import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyEpisode, isScored } from '#lib/domain/record/index.ts'
import { parseTranscript, TRANSCRIPT_FILE, tallyBehaviours } from '#lib/domain/transcript/index.ts'
import { RunFolder } from '../engine/run-folder.ts'
import type { LoadedTask } from '../suites/task-folder.ts'

/** Counts, for each expected behaviour of a run's tasks, the scored episodes that show it; empty = none is expected. */
export function behaviourLines(
  out: string,
  tasks: readonly LoadedTask[],
  episodes: readonly AnyEpisode[],
): string[] {
  const expecting = tasks.flatMap(({ task }) => (task.expect === undefined ? [] : [task.taskId]))
  const folder = new RunFolder(out)
  const results = episodes
    .filter(({ taskId, outcome }) => expecting.includes(taskId) && isScored(outcome.status))
    .map(({ taskId, repetition, attempt }) =>
      readBehaviours(join(out, folder.attemptPath(taskId, repetition, attempt), TRANSCRIPT_FILE)),
    )
  return tallyBehaviours(results)
}

/** An agent that did not use the gateway has no transcript. */
function readBehaviours(path: string) {
  try {
    return parseTranscript(readFileSync(path, 'utf8'))?.findings?.behaviour ?? []
  } catch {
    return []
  }
}
