import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { POLICY } from '#lib/domain/eligibility/policy.ts'
import { slugSchema } from '#lib/domain/names.ts'
import { unknownName } from '#lib/domain/nearest-names.ts'
import { formatIssues } from '#lib/domain/problem.ts'
import { digestSuite, PROTOCOL_VERSION, type Suite, suiteKindSchema } from '#lib/domain/suite.ts'
import type { Gate } from '../contracts/exercise/gate-types.ts'
import { completeTask } from './complete-task.ts'
import type { SuitePlace } from './find-suite.ts'
import { readJson } from './read-json.ts'
import { readTaskFolder } from './read-task-folder.ts'
import { SuiteError } from './suite-error.ts'
import type { ExerciseFolder, LoadedExercise } from './task-folder.ts'

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

/** `suite.json`: what a suite says of itself. */
export const suiteFileSchema = z.object({
  suiteId: slugSchema,
  kind: suiteKindSchema,
  title: z.string().min(1).max(200),
  description: z.string().max(2000),
  version: z.string().min(1).max(40),
  /** Thresholds of its own for the headline gate; a suite may only be stricter than the policy. */
  thresholds: ownThresholdsSchema.optional(),
  source: z
    .object({ url: z.string().max(500), ref: z.string().max(200) })
    .nullable()
    .optional(),
})

export type LoadedSuite = { suite: Suite; tasks: readonly LoadedExercise[] }

/**
 * Loads a suite whole: every task folder is read, or the first problems are told and nothing is loaded. `gate` is
 * asked only for tasks whose expected test names are not kept beside them.
 */
export async function loadSuite(place: SuitePlace, gate: () => Gate): Promise<LoadedSuite> {
  const about = readSuiteFile(place.folder)
  const folders = listTaskFolders(place.folder).map((folder) => readTaskFolder(folder))
  if (folders.length === 0)
    throw new SuiteError(`suite ${about.suiteId} has no tasks in ${place.folder}`)
  const tasks: LoadedExercise[] = []
  for (const folder of folders) tasks.push(await completeTask(folder, gate))
  const members = tasks.map(({ task }) => task)
  const { source = null, ...rest } = about
  const digest = digestSuite(members)
  return {
    suite: { ...rest, source, protocolVersion: PROTOCOL_VERSION, digest, tasks: members },
    tasks,
  }
}

/** The tasks of a selection in suite order; an unknown name is answered with the nearest ones. */
export function selectTasks<T extends ExerciseFolder>(
  tasks: readonly T[],
  names: readonly string[] | null,
): T[] {
  if (!names) return [...tasks]
  const known = tasks.map(({ draft }) => draft.taskId)
  const stranger = names.find((name) => !known.includes(name))
  if (stranger !== undefined) throw new SuiteError(unknownName('task', stranger, known))
  return tasks.filter(({ draft }) => names.includes(draft.taskId))
}

/** Folders with a `.meta/config.json`, or that look as if they wanted one. */
export function listTaskFolders(suiteFolder: string): string[] {
  return readdirSync(suiteFolder, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
    )
    .filter((entry) =>
      ['.meta', '.docs'].some((part) => existsSync(join(suiteFolder, entry.name, part))),
    )
    .map((entry) => join(suiteFolder, entry.name))
    .sort()
}

function readSuiteFile(folder: string): z.infer<typeof suiteFileSchema> {
  const json = readJson(join(folder, 'suite.json'))
  const place = `${basename(folder)}/suite.json`
  if (json.error !== null)
    throw new SuiteError('the suite cannot be loaded', [{ path: place, message: json.error }])
  const parsed = suiteFileSchema.safeParse(json.value)
  if (parsed.success) return parsed.data
  const problems = formatIssues(parsed.error.issues).map((p) => ({
    path: place,
    message: `${p.path}: ${p.message}`,
  }))
  throw new SuiteError('the suite cannot be loaded', problems)
}
