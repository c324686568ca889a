import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { POLICY } from '#lib/domain/eligibility/index.ts'
import {
  type Digest,
  formatIssues,
  releasedSchema,
  slugSchema,
  unknownName,
} from '#lib/domain/record/index.ts'
import {
  digestSuite,
  PROTOCOL_VERSION,
  type Suite,
  suiteKindSchema,
} from '#lib/domain/tasks/index.ts'
import type { LoadedHarbor } from '../harbor/harbor-folder.ts'
import {
  describeHarborSuite,
  isHarborSuite,
  type LeftOutTask,
  loadHarborTasks,
} from '../harbor/load-harbor-suite.ts'
import { suiteError, usageError } from '../runner-error.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import { completeTask } from './complete-task.ts'
import type { SuiteLocation } from './find-suite.ts'
import { readMutation } from './mutate/mutation-file.ts'
import { readJson } from './read-json.ts'
import { REPOSITORY_FILE, readRepositoryTask } from './read-repository-task.ts'
import { readTaskFolder } from './read-task-folder.ts'
import { DRIVER_FILE, digestApp, readWorkflowTask, WORKFLOW_FILE } from './read-workflow.ts'
import type { LoadedRepository } from './repository-folder.ts'
import type { LoadedExercise, LoadedTask, LoadedWorkflow } from './task-folder.ts'

const { aggregateEpisodes, perTaskEpisodes, voidShare } = POLICY.thresholds
const atLeast = (least: number) =>
  z
    .number()
    .int()
    .min(least, { error: `is looser than the policy's ${least}: a suite may only be stricter` })

const ownThresholdsSchema = z.strictObject({
  aggregateEpisodes: atLeast(aggregateEpisodes).optional(),
  perTaskEpisodes: atLeast(perTaskEpisodes).optional(),
  voidShare: z
    .number()
    .min(0)
    .max(voidShare, {
      error: `is looser than the policy's ${voidShare}: a suite may only be stricter`,
    })
    .optional(),
})

/** `suite.json`: a suite's own description. */
export const suiteFileSchema = z.object({
  suiteId: slugSchema,
  // Tasks of another program cannot be loaded.
  kind: suiteKindSchema.exclude(['reported']),
  title: z.string().min(1).max(200),
  description: z.string().max(2000),
  version: z.string().min(1).max(40),
  /** The day since which its tasks have been public, unless a task states its own; absent = unknown. */
  released: releasedSchema.optional(),
  /** Its own thresholds of the evidence rules; a suite may only be stricter than the policy. */
  thresholds: ownThresholdsSchema.optional(),
  source: z
    .object({ url: z.string().max(500), ref: z.string().max(200) })
    .nullable()
    .optional(),
})

export type ExerciseSuite = { kind: 'exercise'; suite: Suite; tasks: readonly LoadedExercise[] }
export type BrowserSuite = { kind: 'browser'; suite: Suite; tasks: readonly LoadedWorkflow[] }
export type RepositorySuite = {
  kind: 'repository'
  suite: Suite
  tasks: readonly LoadedRepository[]
}
export type HarborSuite = {
  kind: 'harbor'
  suite: Suite
  tasks: readonly LoadedHarbor[]
  leftOut: readonly LeftOutTask[]
}
export type LoadedSuite = ExerciseSuite | BrowserSuite | RepositorySuite | HarborSuite

/**
 * Loads a whole suite: reads every task folder, or reports the first problems and loads nothing. `verifier` is called
 * only for tasks whose expected test names are not stored next to them. Broken tasks in Harbor's format are left out.
 */
export async function loadSuite(
  place: SuiteLocation,
  verifier: () => ExerciseVerifier,
): Promise<LoadedSuite> {
  const about = readSuiteFile(place.folder)
  const loaded = await loadTasks(about.kind, place.folder, verifier)
  if (loaded.tasks.length === 0)
    throw suiteError(`suite ${about.suiteId} has no tasks in ${place.folder}`)
  const { source = null, released, ...rest } = about
  const members = loaded.tasks.map(({ task }) => (released ? { released, ...task } : task))
  const digest = digestSuite(members)
  const suite = { ...rest, source, protocolVersion: PROTOCOL_VERSION, digest, tasks: members }
  return { ...loaded, suite }
}

type RunnableKind = Exclude<Suite['kind'], 'reported'>

async function loadTasks(kind: RunnableKind, folder: string, verifier: () => ExerciseVerifier) {
  switch (kind) {
    case 'browser':
      return { kind, tasks: await loadWorkflows(folder) }
    case 'repository':
      return { kind, tasks: await loadRepositories(folder) }
    case 'harbor':
      return { kind, ...loadHarborTasks(folder) }
    case 'exercise':
      return loadExercises(folder, verifier)
  }
}

async function loadRepositories(folder: string): Promise<LoadedRepository[]> {
  const tasks: LoadedRepository[] = []
  for (const path of foldersWith(folder, [REPOSITORY_FILE]))
    tasks.push(await readRepositoryTask(path))
  return tasks
}

async function loadExercises(folder: string, verifier: () => ExerciseVerifier) {
  const exercises = listTaskFolders(folder).map((path) => readTaskFolder(path))
  const tasks: LoadedExercise[] = []
  for (const exercise of exercises) tasks.push(withMutation(await completeTask(exercise, verifier)))
  return { kind: 'exercise' as const, tasks }
}

/** Counts about a task's tests are not part of its identity: its digest stays the same. */
function withMutation(exercise: LoadedExercise): LoadedExercise {
  const mutation = readMutation(exercise)
  return mutation ? { ...exercise, task: { ...exercise.task, mutation } } : exercise
}

function loadWorkflows(folder: string): Promise<LoadedWorkflow[]> {
  const apps = join(folder, 'apps')
  const digests = new Map<string, Digest | null>()
  const digestOf = (app: string) => {
    const known = digests.get(app)
    const digest = known === undefined ? digestApp(apps, app) : known
    digests.set(app, digest)
    return digest
  }
  const folders = foldersWith(folder, [WORKFLOW_FILE, DRIVER_FILE])
  return Promise.all(folders.map((path) => readWorkflowTask(path, digestOf)))
}

/** Selects tasks in suite order; throws with the nearest names for an unknown one. */
export function selectTasks<T extends LoadedTask>(
  tasks: readonly T[],
  names: readonly string[] | null,
): T[] {
  if (!names) return [...tasks]
  const known = tasks.map(({ task }) => task.taskId)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw usageError(unknownName('task', unknown, known), '--tasks')
  return tasks.filter(({ task }) => names.includes(task.taskId))
}

/** Lists folders with a `.meta/config.json`, or that look like incomplete tasks. */
export function listTaskFolders(suiteFolder: string): string[] {
  return foldersWith(suiteFolder, ['.meta', '.docs'])
}

function foldersWith(suiteFolder: string, parts: readonly string[]): string[] {
  return readdirSync(suiteFolder, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
    )
    .filter((entry) => parts.some((part) => existsSync(join(suiteFolder, entry.name, part))))
    .map((entry) => join(suiteFolder, entry.name))
    .sort()
}

function readSuiteFile(folder: string): z.infer<typeof suiteFileSchema> {
  if (isHarborSuite(folder)) return describeHarborSuite(folder)
  const json = readJson(join(folder, 'suite.json'))
  const place = `${basename(folder)}/suite.json`
  if (json.error !== null)
    throw suiteError('the suite cannot be loaded', [{ path: place, message: json.error }])
  const parsed = suiteFileSchema.safeParse(json.value)
  if (parsed.success) return parsed.data
  const problems = formatIssues(parsed.error.issues).map((p) => ({
    path: place,
    message: `${p.path}: ${p.message}`,
  }))
  throw suiteError('the suite cannot be loaded', problems)
}

/** Returns the tasks that the options select. */
export function chooseAskedTasks<T extends LoadedTask>(
  all: readonly T[],
  { tasks, first }: { tasks?: readonly string[]; first?: number },
): T[] {
  return selectTasks(all, tasks ?? null).slice(0, first)
}
