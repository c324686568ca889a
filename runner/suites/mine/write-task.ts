import { chmod, cp, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseDocument, stringify } from 'yaml'
import { z } from 'zod'
import { commandFor } from '../../project/guess-runner.ts'
import { TESTS, type TestRunner } from '../../project/test-runner.ts'
import { PLACEHOLDER, plantCanary } from '../../repository/canary.ts'
import { type Change, isOfGit, patchToChanges } from '../../repository/overlay.ts'
import { leadsOut } from '../../repository/tree.ts'
import { type Candidate, type ChangedFile, type Commit, countLines } from './choose-candidate.ts'
import { FallsOut } from './fall-reasons.ts'
import type { Instruction } from './instruct.ts'
import { diffOf, type History, listTree, type TreeFile } from './open-history.ts'

/** Settings for writing tasks, the same for every commit. */
export type TaskSettings = {
  runner: TestRunner
  verifySeconds: number
  /** Why the set-up may use the network; null = it may not. */
  setupNetwork: string | null
  /** Include the parent's files in the task; false = fetch its commit from the repository. */
  selfContained: boolean
  /** Installed files besides the repository's own, copied into each task from this folder. */
  copied: { root: string; paths: readonly string[] }
  isTest: (path: string) => boolean
}

const REPOSITORY = 'repo'
const MAX_BYTES = 256 << 20
const MAX_FILES = 20_000

/** Writes a task folder for a candidate, without its proof. Throws FallsOut if it cannot become a task. */
export async function writeTask(
  folder: string,
  history: History,
  commit: Commit,
  { candidate, instruction }: { candidate: Candidate; instruction: Instruction },
  settings: TaskSettings,
): Promise<void> {
  const parent = commit.parents[0] ?? ''
  const { copied } = settings
  await mkdir(folder, { recursive: true })
  if (settings.selfContained) {
    await writeFiles(join(folder, REPOSITORY), history, await listTree(history, parent))
    for (const path of copied.paths)
      await cp(join(copied.root, path), join(folder, REPOSITORY, path), {
        recursive: true,
        verbatimSymlinks: true,
      })
  }
  const judged = await readChanges(history, await judgedWith(history, commit, candidate, settings))
  await writeOverlay(join(folder, 'tests'), judged)
  await writeOverlay(join(folder, 'canary'), canaryFor(judged, candidate, settings.runner))
  await writeSolution(folder, history, commit, candidate.solution)
  await writeInstruction(folder, instruction.text)
  const description = describeTask(folder, history, commit, { candidate, instruction }, settings)
  await writeFile(join(folder, 'task.yaml'), stringify(description))
}

const USUAL_TIMES = 10

/**
 * Lowers the time limit of a task's tests to ten times what its solution takes, in whole minutes, so that a run that
 * hangs ends soon.
 */
export async function limitVerify(folder: string, goldMs: number): Promise<void> {
  const file = join(folder, 'task.yaml')
  const document = parseDocument(await readFile(file, 'utf8'))
  const limit = z.number().parse(document.getIn(['verify', 'timeout']))
  const minutes = Math.ceil((goldMs * USUAL_TIMES) / 60_000)
  document.setIn(['verify', 'timeout'], Math.min(limit, minutes * 60))
  await writeFile(file, document.toString())
}

export async function writeInstruction(folder: string, text: string): Promise<void> {
  await writeFile(join(folder, 'instruction.md'), `${text}\n`)
}

const EASY_LINES = 20
const MEDIUM_LINES = 120

function describeTask(
  folder: string,
  { from, isLocal }: History,
  { parents, date }: Commit,
  { candidate, instruction }: { candidate: Candidate; instruction: Instruction },
  { runner, verifySeconds, setupNetwork, selfContained }: TaskSettings,
) {
  const lines = countLines(candidate.solution)
  const difficulty = lines <= EASY_LINES ? 'easy' : lines <= MEDIUM_LINES ? 'medium' : 'hard'
  const { title, category } = instruction
  const source = selfContained ? { folder: REPOSITORY } : { git: from, commit: parents[0] ?? '' }
  const network =
    setupNetwork !== null && runner.setup.length > 0
      ? { network: { reason: setupNetwork, for: ['setup'] } }
      : {}
  return {
    id: folder.split('/').at(-1),
    title,
    category,
    difficulty,
    source,
    setup: runner.setup,
    change: { allow: ['**'], protect: runner.protect },
    ...network,
    // Public since then at the earliest; only known if others can fetch it.
    ...(isLocal ? {} : { released: date }),
    verify: {
      command: commandFor(runner.command, candidate.run),
      report: { format: runner.format },
      timeout: verifySeconds,
    },
  }
}

/** A command that runs all tests is judged with all tests of the commit, so that edits of other tests do not count. */
async function judgedWith(
  history: History,
  { id }: Commit,
  { judged }: Candidate,
  { runner, isTest }: TaskSettings,
): Promise<readonly TreeFile[]> {
  const known = new Set(judged.map(({ path }) => path))
  const tree = await listTree(history, id)
  const isWhole = !runner.command.includes(TESTS)
  return tree.filter(
    ({ path, mode }) => known.has(path) || (isWhole && mode !== LINK && isTest(path)),
  )
}

const LINK = '120000'
const PROGRAM = '100755'

async function readChanges(
  { readBlobs }: History,
  files: readonly Pick<TreeFile, 'path' | 'id' | 'mode'>[],
): Promise<Change[]> {
  const blobs = await readBlobs(files.map(({ id }) => id))
  return files.map(({ path, mode }, at) => ({
    path,
    bytes: blobs[at] ?? Buffer.alloc(0),
    executable: mode === PROGRAM,
  }))
}

/** Writes a commit's files exactly as stored in git: no filters, no attributes, and links only after all files. */
async function writeFiles(
  folder: string,
  history: History,
  files: readonly TreeFile[],
): Promise<void> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > MAX_BYTES || files.length > MAX_FILES)
    throw new FallsOut(
      'unusable',
      `the repository has more than ${MAX_FILES} files or ${MAX_BYTES >> 20} MiB: use --no-self-contained`,
    )
  const bad = files.find(({ path }) => isOfGit(path) || /^\/|(^|\/)\.{0,2}(\/|$)/.test(path))
  if (bad) throw new FallsOut('unusable', `the repository has ${JSON.stringify(bad.path)}`)
  const contents = await history.readBlobs(files.map(({ id }) => id))
  const plain = files.flatMap((file, at) => {
    const content = contents[at] ?? Buffer.alloc(0)
    return file.mode === LINK ? [] : [{ ...file, bytes: content }]
  })
  await writeOverlay(
    folder,
    plain.map(({ path, mode, bytes: content }) => ({
      path,
      bytes: content,
      executable: mode === PROGRAM,
    })),
  )
  for (const [at, { path, mode }] of files.entries()) {
    if (mode !== LINK) continue
    const target = contents[at]?.toString('utf8') ?? ''
    if (leadsOut(path, target))
      throw new FallsOut('unusable', `${path} is a link that leads out of the repository`)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(target, join(folder, path))
  }
}

async function writeOverlay(folder: string, changes: readonly Change[]): Promise<void> {
  for (const { path, bytes, executable } of changes) {
    if (bytes === null) continue
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes, { flag: 'wx' })
    await chmod(target, executable ? 0o755 : 0o644)
  }
}

/** Adds our own failing tests if the generated ones would land in files that no command runs. */
function canaryFor(judged: readonly Change[], { run }: Candidate, runner: TestRunner): Change[] {
  const tests = judged.filter(({ path }) => run.includes(path))
  const { command, format } = runner
  const planted = plantCanary(tests, { command, report: { format } }, PLACEHOLDER)?.files
  if (planted === undefined || judged.length === tests.length) return []
  return planted.filter((file) => !tests.includes(file))
}

/** Writes the commit's other files as a patch, or as whole files if a patch would not give the same bytes. */
async function writeSolution(
  folder: string,
  history: History,
  commit: Commit,
  files: readonly ChangedFile[],
): Promise<void> {
  const there = files.filter(({ after }) => after.mode !== '000000')
  const gone = files.filter((file) => !there.includes(file))
  const written = await readChanges(
    history,
    there.map(({ path, after }) => ({ path, ...after })),
  )
  const wanted = [...written, ...gone.map(({ path }) => ({ path, bytes: null, executable: false }))]
  const text = await diffOf(history, commit, files)
  const target = join(folder, 'solution')
  await mkdir(target, { recursive: true })
  if (await fits(text, wanted, history, files))
    await writeFile(join(target, 'solution.patch'), text)
  else if (gone.length > 0)
    throw new FallsOut('unusable', 'no patch gives the same files, and it deletes some')
  else await writeOverlay(target, wanted)
}

async function fits(
  text: string,
  wanted: readonly Change[],
  history: History,
  files: readonly ChangedFile[],
): Promise<boolean> {
  const known = files.filter(({ before }) => before.mode !== '000000')
  const blobs = await history.readBlobs(known.map(({ before }) => before.id))
  const before = new Map(known.map(({ path }, at) => [path, blobs[at] ?? null]))
  try {
    const made = patchToChanges(text, (path) => before.get(path) ?? null)
    const byPath = new Map(made.map((change) => [change.path, change]))
    return wanted.every((change) => isSame(byPath.get(change.path), change))
  } catch {
    return false
  }
}

function isSame(made: Change | undefined, { bytes, executable }: Change): boolean {
  if (made === undefined || made.executable !== executable) return false
  return bytes === null ? made.bytes === null : made.bytes?.equals(bytes) === true
}

/** Stores half of the change as a wrong variant; one that deletes files cannot be written as files. */
export async function writeWrong(
  folder: string,
  name: string,
  changes: readonly Change[],
): Promise<void> {
  if (changes.some(({ bytes }) => bytes === null)) return
  await writeOverlay(join(folder, 'wrong', name), changes)
}

/**
 * Checks the paths that a working tree may copy into each task. Throws an Error that explains what is wrong with a
 * path.
 */
export async function requireCopied({ root, paths }: TaskSettings['copied']): Promise<void> {
  for (const path of paths) {
    const found = await lstat(join(root, path)).catch(() => null)
    if (!found?.isDirectory()) throw new Error(`${path} is not a folder of ${root}`)
  }
}

/** Removes drafts of a killed call. */
export async function removeTaskDrafts(drafts: string): Promise<void> {
  await rm(drafts, { recursive: true, force: true })
}
