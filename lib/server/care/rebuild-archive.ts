import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SubmittedRun } from '#lib/domain/record/index.ts'
import { readStoredRows } from '../../db/read-stored.ts'
import { type Archive, checkArchive, type Flaw, rebuildBoard } from '../../domain/archive/index.ts'
import { serializeBoard, suiteFromPlans } from '../../domain/board/index.ts'
import { type Suite, suiteSchema } from '../../domain/tasks/index.ts'
import { countOf, unknownName } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { queryRunner } from '../../processes/spawn-runner.ts'
import { EXPORT_MANIFEST } from './archive-evidence.ts'
import { parseSuiteRows } from './parse-rows.ts'
import { readExport, readRunFolders } from './read-export.ts'
import { readServer } from './read-server.ts'
import { withStoredFile } from './with-stored-file.ts'

/** A rebuilt board; `notes` name sources that are not obvious. */
type Rebuilt = { text: string; notes: string[] }

/** Null = the only suite, and its current version. */
type SuiteSelection = { suiteId: string | null; version: string | null }

type Source = { archive: Archive; flaws: Flaw[]; notes: string[] }

/**
 * Computes a suite's board from an exported archive, a server's data directory, or plain run folders. Throws an
 * AppError that names the first three invalid seals, digests or ledger entries.
 */
export async function rebuild(from: string, wanted: SuiteSelection): Promise<Rebuilt> {
  const { archive, flaws, notes } = await openSource(from, wanted)
  if (flaws.length > 0) {
    const shown = flaws.slice(0, 3).map(({ place, problem }) => `${place}: ${problem}`)
    const more = flaws.length > 3 ? `; and ${flaws.length - 3} more` : ''
    throw new AppError('invalid-episode', `no leaderboard can be built: ${shown.join('; ')}${more}`)
  }
  const suite = chooseSuite(archive, wanted)
  return { text: serializeBoard(rebuildBoard(archive, suite)), notes }
}

async function openSource(from: string, wanted: SuiteSelection): Promise<Source> {
  if (existsSync(join(from, EXPORT_MANIFEST))) {
    const { archive, flaws } = readExport(from)
    return { archive, flaws: [...flaws, ...checkArchive(archive)], notes: [] }
  }
  const { database: place, databaseFile, dataDir } = env()
  const isServed = place !== databaseFile && resolve(from) === dataDir
  if (isServed || existsSync(join(from, 'proofboard.db')))
    return { ...(await readServer(from)), notes: [] }
  return openRunFolders(from, wanted)
}

async function openRunFolders(from: string, wanted: SuiteSelection): Promise<Source> {
  const { runs, flaws } = readRunFolders(from)
  const newest = newestVersion(runs, wanted)
  if (!newest) {
    const archive = { suites: [], current: new Map(), runs: [], entries: null }
    return { archive, flaws, notes: [] }
  }
  const { suite, origin } = await findSuiteText(newest.suiteId, newest.suiteDigest, runs)
  const archive: Archive = {
    suites: [suite],
    current: new Map([[suite.suiteId, suite.digest]]),
    runs: runs.filter(({ plan }) => plan.suiteDigest === suite.digest),
    entries: null,
  }
  const others = runs.length - archive.runs.length
  const notes = ['there is no ledger: every run counts, with provenance manual', origin]
  if (others > 0) notes.push(`${countOf(others, 'run')} on other suites or versions are left out`)
  return { archive, flaws: [...flaws, ...checkArchive(archive)], notes }
}

/** Returns the suite version of the plan that was frozen last; reported plans, which are not frozen, come last. */
function newestVersion(runs: Archive['runs'], { suiteId, version }: SuiteSelection) {
  const plans = runs
    .map(({ plan }) => plan)
    .filter((plan) => suiteId === null || plan.suiteId === suiteId)
    .filter((plan) => version === null || plan.suiteDigest === version)
  return plans.sort((a, b) => ((a.frozenAt ?? '') < (b.frozenAt ?? '') ? 1 : -1))[0] ?? null
}

function chooseSuite({ suites, current }: Archive, { suiteId, version }: SuiteSelection): Suite {
  const shown = suites.filter((suite) => current.get(suite.suiteId) === suite.digest)
  const ids = shown.map((suite) => suite.suiteId)
  if (suiteId === null && version === null && shown.length > 1)
    throw new AppError('invalid-request', `say which suite with --suite: ${ids.join(', ')}`)
  if (version === null) {
    const suite = suiteId === null ? shown[0] : shown.find((one) => one.suiteId === suiteId)
    if (suite) return suite
    throw new AppError('not-found', unknownName('suite', suiteId ?? '', ids))
  }
  const suite = suites.find(({ digest }) => digest === version)
  if (suite && (suiteId === null || suite.suiteId === suiteId)) return suite
  throw new AppError('not-found', `no version ${version} of ${suiteId ?? 'any suite'} is in there`)
}

/** A suite, and the source of its titles as a text for readers. */
type FoundSuite = { suite: Suite; origin: string }

/**
 * Finds the suite of runs without an archive: this server's, if the digest matches, else the installed one, else from
 * the plans. Throws an AppError when none covers the whole suite.
 */
async function findSuiteText(
  suiteId: string,
  digest: string,
  runs: readonly SubmittedRun[],
): Promise<FoundSuite> {
  const stored = await readKeptSuite(digest)
  if (stored) return { suite: stored, origin: `the texts of suite ${suiteId} are this server's` }
  const installed = await askSuite(suiteId)
  if (installed?.digest === digest)
    return { suite: installed, origin: `the texts of suite ${suiteId} are those installed here` }
  const plans = runs.flatMap(({ plan }) => (plan.suiteDigest === digest ? plan : []))
  const suite = suiteFromPlans(plans)
  if (suite) {
    const origin = `suite ${suiteId} in this version is unknown here: its tasks are those of the plans, without titles and difficulties`
    return { suite, origin }
  }
  const message = `suite ${suiteId} in version ${digest} is unknown here, and the plans do not contain all of its tasks: give an archive (proofboard server board export) instead`
  throw new AppError('not-found', message)
}

async function readKeptSuite(digest: string): Promise<Suite | null> {
  const { database: place, databaseFile, dataDir, migrationsDir } = env()
  if (place === databaseFile && !existsSync(databaseFile)) return null
  try {
    const rows = await withStoredFile(dataDir, (file) => readStoredRows(file, migrationsDir))
    const { suites } = parseSuiteRows(rows)
    return suites.find((suite) => suite.digest === digest) ?? null
  } catch (error) {
    if (error instanceof AppError) return null // other sources follow
    throw error
  }
}

async function askSuite(suiteId: string): Promise<Suite | null> {
  const args = ['suite', 'show', suiteId, '--json']
  const { output } = await queryRunner(args, new AbortController().signal)
  const suite = (output as { suite?: unknown } | null)?.suite
  return suiteSchema.safeParse(suite).data ?? null
}
