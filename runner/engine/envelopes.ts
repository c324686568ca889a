import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Episode,
  type EpisodeBody,
  expandPlan,
  type Plan,
  parseEpisode,
  type Shard,
  sealEpisode,
  slotKey,
} from '#lib/domain/record/index.ts'
import { problemLines } from '#lib/domain/text/index.ts'
import { placeError } from '../runner-error.ts'
import { writeAtomic } from './files.ts'
import { RunFolder } from './run-folder.ts'

export const ENVELOPE_FILE = 'episode.json'

/** Phase 6: seals the envelope and makes it durable. An attempt exists only from here on. */
export async function seal(body: EpisodeBody, attemptFolder: string): Promise<Episode> {
  const episode = sealEpisode(body)
  await writeAtomic(join(attemptFolder, ENVELOPE_FILE), `${JSON.stringify(episode, null, 2)}\n`)
  return episode
}

/** Reads every sealed episode of a run, by task, repetition and attempt. */
export function readSealed(folder: RunFolder): Episode[] {
  const episodes = folder
    .listAttempts()
    .map((attempt) => join(attempt, ENVELOPE_FILE))
    .flatMap((path) => (existsSync(path) ? [readOne(path)] : []))
  return episodes.sort(
    (a, b) => compare(a.taskId, b.taskId) || a.repetition - b.repetition || a.attempt - b.attempt,
  )
}

/** Refuses a folder with episodes of another plan or shard, because its result would contain them. */
export function refuseOthers(out: string, plan: Plan, shard: Shard): void {
  const folder = new RunFolder(out)
  const slots = new Set(expandPlan(plan, shard).map(slotKey))
  for (const episode of readSealed(folder)) {
    const isOfPlan = episode.planDigest === plan.planDigest
    if (isOfPlan && slots.has(slotKey(episode))) continue
    const { taskId, repetition, attempt } = episode
    const path = join(out, folder.attemptPath(taskId, repetition, attempt))
    throw placeError(
      `${path} belongs to another ${isOfPlan ? 'shard' : 'plan'}: choose another --out${isOfPlan ? ', or leave out --shard' : ''}`,
    )
  }
}

function readOne(path: string): Episode {
  const parsed = parseEpisode(readJson(path))
  if (parsed.ok) return parsed.value
  throw placeError(
    `${path} is not a sealed episode: ${problemLines(parsed.problems, 3).join('; ')}. Move its folder away to run it again.`,
  )
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
