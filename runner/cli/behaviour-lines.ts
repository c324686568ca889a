import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyEpisode, isScored } from '#lib/domain/record/index.ts'
import { parseTranscript, TRANSCRIPT_FILE, tallyBehaviours } from '#lib/domain/transcript/index.ts'
import { RunFolder } from '../engine/run-folder.ts'
import type { LoadedTask } from '../suites/task-folder.ts'

/** Counts, for each expected behaviour of a run's tasks, the scored episodes that show it; absent = none is expected. */
export function behaviourOf(
  { out, tasks }: { out: string; tasks: readonly LoadedTask[] },
  { episodes }: { episodes: readonly AnyEpisode[] },
): { behaviour?: readonly string[] } {
  const expecting = tasks.flatMap(({ task }) => (task.expect === undefined ? [] : [task.taskId]))
  const folder = new RunFolder(out)
  const results = episodes
    .filter(({ taskId, outcome }) => expecting.includes(taskId) && isScored(outcome.status))
    .map(({ taskId, repetition, attempt }) =>
      readBehaviours(join(out, folder.attemptPath(taskId, repetition, attempt), TRANSCRIPT_FILE)),
    )
  const behaviour = tallyBehaviours(results)
  return behaviour.length > 0 ? { behaviour } : {}
}

/** An agent that did not use the gateway has no transcript. */
function readBehaviours(path: string) {
  try {
    return parseTranscript(readFileSync(path, 'utf8'))?.findings?.behaviour ?? []
  } catch {
    return []
  }
}
