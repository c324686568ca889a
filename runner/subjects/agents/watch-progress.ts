import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { countNoProgress } from '#lib/domain/record/index.ts'
import { isDropping } from '../../engine/read-plain-file.ts'
import { SKIPPED_FOLDERS } from '../../engine/workspace.ts'
import type { AttemptGateway } from '../../gateway/model-access.ts'
import type { SubjectContext } from '../subject-driver.ts'

type NoProgress = ReturnType<typeof countNoProgress>

/**
 * Watches an agent at its gateway and in its workspace; the returned function stops watching, after the gateway is
 * closed, and returns the signals of stalled progress.
 */
export async function watchProgress(
  gateway: Pick<AttemptGateway, 'onStep' | 'toolSteps'>,
  { task, workspace }: Pick<SubjectContext, 'task' | 'workspace'>,
  droppings: readonly string[],
): Promise<() => Promise<NoProgress>> {
  const isIgnored = ignoredPaths(task, droppings)
  const watch = await watchWorkspace(() => stampWorkspace(workspace, isIgnored))
  gateway.onStep(watch.stepEnded)
  return async () => {
    const changes = await watch.finish()
    const steps = gateway.toolSteps().map((calls, index) => ({
      calls,
      workspaceChanged: changes[index] ?? null,
    }))
    return countNoProgress(steps)
  }
}

/** Paths that an agent's program leaves; a file of the task still counts as work. */
export function ignoredPaths(
  task: SubjectContext['task'],
  droppings: readonly string[],
): (path: string) => boolean {
  return (path) => isDropping(path, droppings) && !task.forAgents.owns(task, path)
}

/** Records which steps of an attempt changed the workspace; null = unknown. */
type WorkspaceWatch = {
  /** Call when a step ended; returns at once and checks afterwards. */
  stepEnded: () => void
  /** Checks a last time; the result has every step. Safe to call without a step. */
  finish: () => Promise<(boolean | null)[]>
}

/**
 * Compares stamps of a workspace, one at a time, in parallel with the work: a step's tools act between its end and the
 * end of the next one. Steps that end while a stamp is being taken share the next one; if it differs, the change is
 * attributed to the last of them, and the others are unknown. `stamp` returns null if it fails.
 */
export async function watchWorkspace(stamp: () => Promise<string | null>): Promise<WorkspaceWatch> {
  const changes: (boolean | null)[] = []
  let before = await stamp()
  let ended = 0
  let isLooking = false
  let looking = Promise.resolve()

  /**
   * Settles the steps up to `upTo`: since the previous stamp, either none of them changed anything, or all share the
   * change.
   */
  const look = async (upTo: number) => {
    const now = await stamp()
    const changed = before === null || now === null ? null : before !== now
    before = now
    while (changes.length < upTo) changes.push(changed === true ? null : changed)
    if (changed === true && upTo > 0) changes[upTo - 1] = true
  }
  const lookOn = async () => {
    isLooking = true
    // The step that ended last is not settled: its tools are running now.
    while (changes.length < ended - 1) await look(ended - 1)
    isLooking = false
  }
  return {
    stepEnded: () => {
      ended += 1
      if (!isLooking) looking = lookOn()
    },
    finish: async () => {
      await looking
      await look(ended)
      return changes
    },
  }
}

/** Stamping this many entries takes about a tenth of a second, after each step. */
const MAX_ENTRIES = 2000

type Found = { path: string; isFolder: boolean }

/**
 * Digest of the paths, sizes and times of everything below a folder that a subject is changing meanwhile; opens no file
 * and follows no link. Null = unknown: more than `most` entries, or an unreadable part.
 */
export async function stampWorkspace(
  root: string,
  isIgnored: (path: string) => boolean,
  max = MAX_ENTRIES,
): Promise<string | null> {
  const lines: string[] = []
  for (const waiting = ['']; waiting.length > 0; ) {
    const below = waiting.pop() as string
    const entries = await readFolder(join(root, below), max - lines.length)
    const found = entries?.map((entry) => ({
      path: below ? `${below}/${entry.name}` : entry.name,
      isFolder: entry.isDirectory(),
    }))
    const relevant = found?.filter((one) => !isPassedOver(one, isIgnored))
    const described = relevant && (await describeAll(root, relevant))
    if (!relevant || !described) return null
    lines.push(...described)
    waiting.push(...relevant.filter(({ isFolder }) => isFolder).map(({ path }) => path))
  }
  return createHash('sha256').update(lines.sort().join('\n')).digest('base64url')
}

function isPassedOver({ path, isFolder }: Found, isIgnored: (path: string) => boolean): boolean {
  if (!isFolder) return isIgnored(path)
  return SKIPPED_FOLDERS.has(basename(path)) || isIgnored(`${path}/`)
}

/**
 * Reads the entries of a folder name by name, so that a million files cost no more than the limit; none if it is gone,
 * or has become a link. Null = too many, or unreadable.
 */
async function readFolder(path: string, max: number): Promise<Dirent[] | null> {
  const entries: Dirent[] = []
  try {
    if (!(await lstat(path)).isDirectory()) return []
    for await (const entry of await opendir(path)) {
      if (entries.push(entry) > max) return null
    }
    return entries
  } catch (error) {
    return isGone(error) ? [] : null
  }
}

/** Sequential, so that this process can do other work in between. Null = one is unreadable. */
async function describeAll(root: string, found: readonly Found[]): Promise<string[] | null> {
  const lines: string[] = []
  for (const one of found) {
    const line = await describe(root, one)
    if (line === null) return null
    lines.push(line)
  }
  return lines
}

/** Describes a folder only by its existence: its time changes with ignored content. Null = unreadable. */
async function describe(root: string, { path, isFolder }: Found): Promise<string | null> {
  if (isFolder) return JSON.stringify([path])
  try {
    const { mode, size, mtimeNs } = await lstat(join(root, path), { bigint: true })
    return JSON.stringify([path, ...[mode, size, mtimeNs].map(String)])
  } catch (error) {
    return isGone(error) ? JSON.stringify([path, 'gone']) : null
  }
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
