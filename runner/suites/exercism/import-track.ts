import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { countOf, unknownName } from '#lib/domain/text/index.ts'
import { makeFolder } from '../../engine/files.ts'
import { suiteError } from '../../runner-error.ts'
import { inDraft } from '../../scratch.ts'
import type { ExerciseVerifier } from '../../verify/exercise/verifier-types.ts'
import { workThrough } from '../../work-through.ts'
import { lockSuite } from '../complete-task.ts'
import { type Admission, admitTask } from './admit-task.ts'
import { releaseDate, type Track } from './fetch-track.ts'

type ImportOptions = {
  suiteId: string
  /** Null = the curated 25; 'all' = the whole track. */
  selection: readonly string[] | 'all' | null
  patched: boolean
  concurrency: number
  onTask: (admission: Admission) => void
}

export type ImportReport = {
  folder: string
  admitted: string[]
  patched: { taskId: string; did: string[] }[]
  rejected: { taskId: string; reason: string }[]
}

/**
 * Imports practice exercises of a track as a suite under `suitesFolder`. The suite is built in a temporary folder and
 * swapped in atomically: a failed import leaves an earlier one unchanged.
 */
export async function importTrack(
  track: Track,
  suitesFolder: string,
  verifier: ExerciseVerifier,
  options: ImportOptions,
): Promise<ImportReport> {
  const folders = selectFolders(track.folder, options.selection)
  const target = join(suitesFolder, options.suiteId)
  await makeFolder(suitesFolder)
  return inDraft(join(suitesFolder, '.import-'), async (building) => {
    const admissions = await admitAll(folders, verifier, options)
    const admitted = admissions.flatMap((one) => (one.admitted ? [one] : []))
    if (admitted.length === 0)
      throw suiteError(
        `no task of ${track.url} could be admitted`,
        admissions
          .flatMap((one) => (one.admitted ? [] : [{ path: one.taskId, message: one.reason }]))
          .slice(0, 10),
      )
    for (const { task } of admitted) copyTask(task.folder, join(building, task.task.taskId))
    const placed = admitted.map(({ task }) => ({
      ...task,
      folder: join(building, task.task.taskId),
    }))
    for (const [place, task] of placed.entries()) {
      const from = admitted[place]?.task.folder
      const released = from === undefined ? null : await releaseDate(from)
      await writePatched(task, { released, notes: admitted[place]?.patches ?? [] })
    }
    await lockSuite(placed)
    const rejected = admissions.flatMap((one) =>
      one.admitted ? [] : [{ taskId: one.taskId, reason: one.reason }],
    )
    const patched = admitted.flatMap(({ taskId, patches }) =>
      patches.length > 0 ? [{ taskId, did: patches }] : [],
    )
    await writeSuiteFiles(building, track, options, { kept: admitted.length, rejected, patched })
    rmSync(target, { recursive: true, force: true })
    await rename(building, target)
    return { folder: target, admitted: admitted.map(({ taskId }) => taskId), patched, rejected }
  })
}

function selectFolders(track: string, selection: ImportOptions['selection']): string[] {
  const practice = [join(track, 'exercises', 'practice'), join(track, 'exercises'), track].find(
    (folder) =>
      existsSync(folder) &&
      readdirSync(folder).some((name) => existsSync(join(folder, name, '.meta'))),
  )
  if (!practice)
    throw suiteError(`${track} contains no exercises: expected exercises/practice/<slug>/.meta`)
  const known = readdirSync(practice, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(practice, entry.name, '.meta')))
    .map((entry) => entry.name)
    .sort()
  if (selection === 'all') return known.map((name) => join(practice, name))
  const wanted = selection ?? CURATED.filter((name) => known.includes(name))
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) throw suiteError(unknownName('exercise', unknown, known))
  if (wanted.length === 0)
    throw suiteError(
      `${track} contains none of the curated exercises: name some with --tasks, or --all`,
    )
  return wanted.map((name) => join(practice, name))
}

async function admitAll(
  folders: readonly string[],
  verifier: ExerciseVerifier,
  options: ImportOptions,
): Promise<Admission[]> {
  const admissions: Admission[] = []
  await workThrough(folders, options.concurrency, async (folder) => {
    const admission = await admitTask(folder, verifier, options)
    options.onTask(admission)
    admissions.push(admission)
  })
  return admissions.sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
}

/**
 * Copies plain files only: a track is an untrusted repository, so links, installed packages and history are left out.
 */
function copyTask(from: string, to: string): void {
  const left = new Set(['node_modules', '.git', '.yarn'])
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !left.has(basename(source)),
  })
  removeLinks(to)
}

function removeLinks(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) rmSync(path)
    else if (entry.isDirectory()) removeLinks(path)
  }
}

/** The patched forms replace the copies, so that the imported suite is complete without the patches. */
async function writePatched(
  { folder, draft, tests, reference }: Extract<Admission, { admitted: true }>['task'],
  { released, notes }: { released: string | null; notes: readonly string[] },
): Promise<void> {
  for (const { path, text } of tests) await writeFile(join(folder, path), text)
  const { example, solution } = draft.files
  for (const [index, path] of example.entries()) {
    const file = reference.find((one) => one.path === solution[index]) ?? reference[index]
    if (file)
      await mkdir(dirname(join(folder, path)), { recursive: true }).then(() =>
        writeFile(join(folder, path), file.text),
      )
  }
  const config = {
    files: { solution, test: draft.files.test, example },
    custom: {
      'flag.tests.jest': draft.runTests,
      'flag.tests.tstyche': draft.typeTests,
      proofboard: {
        title: draft.title,
        category: draft.category,
        difficulty: draft.difficulty,
        verifyTimeoutMs: draft.verifyTimeoutMs,
        ...(released && { released }),
        ...(notes.length > 0 && { importNotes: notes }),
      },
    },
  }
  await writeFile(join(folder, '.meta', 'config.json'), `${JSON.stringify(config, null, 2)}\n`)
}

async function writeSuiteFiles(
  folder: string,
  track: Track,
  options: ImportOptions,
  result: { kept: number; rejected: unknown[]; patched: unknown[] },
): Promise<void> {
  const about = {
    suiteId: options.suiteId,
    kind: 'exercise',
    title: 'Exercism TypeScript track',
    description: `${countOf(result.kept, 'practice exercise')} of the Exercism TypeScript track, with every skipped test switched on.`,
    version: track.ref.slice(0, 40),
    source: { url: track.url, ref: track.ref },
  }
  await writeFile(join(folder, 'suite.json'), `${JSON.stringify(about, null, 2)}\n`)
  await writeFile(
    join(folder, 'import.json'),
    `${JSON.stringify({ source: about.source, rejected: result.rejected, patched: result.patched }, null, 2)}\n`,
  )
}

/** The 25 practice exercises that ts-bench runs by default. */
const CURATED: readonly string[] = [
  'acronym',
  'anagram',
  'bank-account',
  'binary-search',
  'binary-search-tree',
  'bowling',
  'complex-numbers',
  'connect',
  'crypto-square',
  'diamond',
  'dnd-character',
  'flatten-array',
  'food-chain',
  'house',
  'pascals-triangle',
  'rational-numbers',
  'react',
  'rectangles',
  'relative-distance',
  'robot-name',
  'spiral-matrix',
  'transpose',
  'two-bucket',
  'variable-length-quantity',
  'wordy',
]
