import { basename, join } from 'node:path'
import { digestSuite, PROTOCOL_VERSION } from '#lib/domain/tasks/index.ts'
import { formatIssues, unknownName } from '#lib/domain/text/index.ts'
import { suiteError } from '../runner-error.ts'
import { readJson } from '../suites/read-json.ts'
import { type SuiteFile, suiteFileSchema } from '../suites/suite-file.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import type { SuiteLocation } from './find-suite.ts'
import type { LoadedSuite } from './kind.ts'
import { describeFolder, findKind, KIND_NAMES } from './kinds.ts'

/**
 * Loads a whole suite: reads every task folder, or reports the first problems and loads nothing. `verifier` is called
 * only for tasks whose expected test names are not stored next to them. Broken tasks in Harbor's format are left out.
 */
export async function loadSuite(
  { folder }: SuiteLocation,
  verifier: () => ExerciseVerifier,
): Promise<LoadedSuite> {
  const about = readSuiteFile(folder)
  const kind = findKind(about.kind)
  if (kind === null)
    throw suiteError('the suite cannot be loaded', [
      { path: placeOf(folder), message: unknownName('kind', about.kind, KIND_NAMES) },
    ])
  const { tasks, leftOut = [] } = await kind.load(folder, verifier)
  if (tasks.length === 0) throw suiteError(`suite ${about.suiteId} has no tasks in ${folder}`)
  const { source = null, released, ...rest } = about
  const members = tasks.map(({ task }) => (released ? { released, ...task } : task))
  const digest = digestSuite(members)
  const suite = { ...rest, source, protocolVersion: PROTOCOL_VERSION, digest, tasks: members }
  return { kind, suite, tasks, leftOut }
}

const placeOf = (folder: string) => `${basename(folder)}/suite.json`

function readSuiteFile(folder: string): SuiteFile {
  const described = describeFolder(folder)
  if (described !== null) return described
  const json = readJson(join(folder, 'suite.json'))
  const place = placeOf(folder)
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
