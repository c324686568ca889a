import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type JudgedRow, judgeResults, type Result } from '#lib/domain/board/index.ts'
import type { Digest } from '#lib/domain/digest/index.ts'
import type { Plan, Provenance } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { findOwedRun } from '../engine/run-folder.ts'
import { findSuiteLocation, readOwnSuites, type SuiteLocation } from '../kinds/find-suite.ts'
import type { LoadedSuite } from '../kinds/kind.ts'
import { loadSuite } from '../kinds/load-suite.ts'
import { findProjectFile, fromProject, readProject } from '../project/read-project.ts'
import { isRunnerError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { createVerifier } from '../verify/exercise/create-verifier.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import { writeError } from './output.ts'

/** A verifier that is started on first use and always closed at the end. */
export class LazyVerifier {
  #verifier: ExerciseVerifier | null = null

  get = (): ExerciseVerifier => {
    this.#verifier ??= createVerifier()
    return this.#verifier
  }

  close = async (): Promise<void> => {
    await this.#verifier?.close()
    this.#verifier = null
  }
}

/** Closes the verifier at the end. */
export async function withVerifier<T>(use: (verifier: LazyVerifier) => Promise<T>): Promise<T> {
  const verifier = new LazyVerifier()
  try {
    return await use(verifier)
  } finally {
    await verifier.close()
  }
}

type OpenedSuite = Awaited<ReturnType<typeof openSuite>>

/** Opens a suite with a verifier, which is closed at the end. */
export function withSuite<T>(
  nameOrPath: string,
  use: (suite: OpenedSuite, verifier: LazyVerifier) => Promise<T>,
): Promise<T> {
  return withVerifier(async (verifier) => use(await openSuite(nameOrPath, verifier), verifier))
}

/** Loads a suite by its path, or by its id if this machine or the current project knows it. */
export async function openSuite(
  nameOrPath: string,
  verifier: LazyVerifier,
): Promise<LoadedSuite & { folder: string }> {
  const place = locate(nameOrPath)
  return { ...(await loadSuite(place, verifier.get)), folder: place.folder }
}

function locate(nameOrPath: string): SuiteLocation {
  const data = dataFolder(RUNNER_ENV)
  try {
    return findSuiteLocation(nameOrPath, data)
  } catch (error) {
    const folder = projectSuite()
    if (folder === null || readSuiteId(folder) !== nameOrPath) throw error
    return findSuiteLocation(folder, data)
  }
}

/** Returns null if there is no suite. */
function readSuiteId(folder: string): unknown {
  const file = join(folder, 'suite.json')
  const about = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : null
  return (about as { suiteId?: unknown } | null | undefined)?.suiteId ?? null
}

/** The default folder of a run; for a private suite, one that no board reads. */
export function defaultOut(runId: string, suiteId: string): string {
  const data = dataFolder(RUNNER_ENV)
  const own = readOwnSuites(data).find((one) => one.suiteId === suiteId)
  return join(data, own?.visibility === 'private' ? 'private-runs' : 'runs', runId)
}

/** Returns the folder of a killed run of this command, if a remote board may know about it. */
export function findOwed(
  { submit, runId }: { submit?: string; runId?: string },
  { suiteId, planDigest }: Plan,
): string | null {
  if (submit === undefined || runId !== undefined) return null
  const owed = findOwedRun(dirname(defaultOut('run', suiteId)), planDigest, submit)
  if (owed !== null)
    writeError(
      `continuing ${owed}: it was registered at ${submit} and ended before its first episode`,
    )
  return owed
}

/** Applies the evidence rules to results, with the suites that exist here in exactly the versions of the results. */
export async function decideLocalEligibility(
  results: readonly Result[],
  provenance: Provenance,
): Promise<JudgedRow[]> {
  const suiteIds = results.flatMap(({ episodes }) => episodes.map(({ suiteId }) => suiteId))
  return judgeResults(results, { provenance, findSuite: finderIn(await openSuites(suiteIds)) })
}

/** Returns a function that finds a suite in exactly one version; null = it is not among them. */
export function finderIn(suites: readonly Suite[]) {
  return (suiteId: string, digest: Digest): Suite | null =>
    suites.find((suite) => suite.suiteId === suiteId && suite.digest === digest) ?? null
}

/** Loads the suites with these names that exist here, each once. */
export function openSuites(suiteIds: readonly string[]): Promise<Suite[]> {
  return withVerifier(async (verifier) => {
    const wanted = [...new Set(suiteIds)]
    const here = await Promise.all(wanted.map((suiteId) => openIfHere(suiteId, verifier)))
    return here.filter((suite) => suite !== null)
  })
}

async function openIfHere(nameOrPath: string, verifier: LazyVerifier): Promise<Suite | null> {
  try {
    return (await openSuite(nameOrPath, verifier)).suite
  } catch (error) {
    // The suite is missing or incomplete: only the results' own data is used.
    if (isRunnerError(error, 'suite')) return null
    throw error
  }
}

/** The folder or name of the suite of the project in the current folder; commands that run the project report a broken project file. */
function projectSuite(): string | null {
  const file = findProjectFile(process.cwd())
  if (file === null) return null
  try {
    const project = readProject(file)
    return fromProject(project, project.suite)
  } catch (error) {
    if (isRunnerError(error)) return null
    throw error
  }
}
