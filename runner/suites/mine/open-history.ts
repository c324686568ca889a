import { statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gitUrlSchema, isGitPath } from '#lib/domain/tasks/index.ts'
import { lastLine } from '#lib/domain/text/index.ts'
import { CALM } from '../../repository/check-out.ts'
import { suiteError, usageError } from '../../runner-error.ts'
import { plainGit } from '../../sandbox/process/git.ts'
import { isSweBenchList, SWE_BENCH_LIST } from '../swe-bench.ts'
import type { ChangedFile, Commit } from './choose-candidate.ts'

/** A bare copy of a repository; the original is never run or written. */
export type History = {
  /** Address as recorded in a task's source. */
  from: string
  isLocal: boolean
  git: (...args: string[]) => Promise<Buffer>
  readBlobs: (ids: readonly string[]) => Promise<Buffer[]>
}

/** The range of commits to walk. */
export type HistoryRange = {
  branch?: string
  since?: string
  until?: string
  maxCommits: number
  firstParent: boolean
}

/**
 * Copies a repository's history into a new folder below `temporary`. Throws a one-sentence RunnerError if the address
 * is invalid, or git cannot fetch it.
 */
export async function openHistory(
  address: string,
  branch: string | undefined,
  temporary: string,
): Promise<History> {
  const url = gitUrlSchema.safeParse(address)
  if (!url.success)
    throw usageError(`the repository ${quote(address)} ${url.error.issues[0]?.message}`)
  if (branch !== undefined && !/^[\w][\w./+@-]*$/.test(branch))
    throw usageError(
      `--branch must be the name of a branch or tag, not ${quote(branch)}`,
      '--branch',
    )
  const isPath = isGitPath(url.data)
  const isRemote = !isPath && !url.data.startsWith('file://')
  const from = isPath ? resolve(url.data) : url.data
  if (isPath) await requireRepository(from)
  const folder = await mkdtemp(join(temporary, 'history-'))
  const clone = ['clone', '--quiet', '--bare', '--no-tags', '--single-branch', '--template=']
  const ofBranch = branch === undefined ? [] : ['--branch', branch]
  await plainGit([...CALM, ...clone, ...ofBranch, '--', from, folder]).catch((error: Error) => {
    throw suiteError(`cannot read the history of ${from}: ${lastLine(error.message)}`)
  })
  const git = (args: readonly string[], input?: string) =>
    plainGit([...CALM, `--git-dir=${folder}`, '--literal-pathspecs', ...args], input)
  return {
    from,
    isLocal: !isRemote,
    git: (...args) => git(args),
    readBlobs: async (ids) =>
      splitBlobs(await git(['cat-file', '--batch'], ids.map((id) => `${id}\n`).join('')), ids),
  }
}

/** Throws a RunnerError unless the path is the root of a git repository, or a file, which may be a git bundle. */
export async function requireRepository(path: string): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw usageError(`${path} does not exist: enter a git repository`)
  if (found.isFile() && isSweBenchList(path))
    throw usageError(`${path} is not a repository: ${SWE_BENCH_LIST}`)
  if (found.isFile()) return
  const prefix = await plainGit(['-C', path, 'rev-parse', '--show-prefix']).catch(
    (error: Error) => error,
  )
  if (prefix instanceof Error)
    throw usageError(
      /dubious ownership/.test(prefix.message)
        ? `git refuses ${path}, which belongs to another user: change its owner, or add it to git's safe.directory`
        : `${path} is not a git repository: enter the path of one`,
    )
  if (prefix.toString().trim() !== '')
    throw usageError(`${path} is a folder of a git repository: enter its root`)
}

const quote = (text: string) => JSON.stringify(text.slice(0, 100))

/** Splits the output of `cat-file --batch`: a line with the size before each content. */
function splitBlobs(output: Buffer, ids: readonly string[]): Buffer[] {
  let at = 0
  return ids.map((id) => {
    const end = output.indexOf(10, at)
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(output.toString('latin1', at, end))?.[1]
    if (size === undefined) throw new Error(`git has no content for ${id}`)
    const start = end + 1
    at = start + Number(size) + 1
    return output.subarray(start, at - 1)
  })
}

const DIFF = ['--no-renames', '--no-ext-diff', '--no-textconv']

/**
 * Lists the commits of a range, newest first, each with the files that it changes compared with its first parent. Throws
 * a RunnerError if there are none. One git process reads all of them: a thousand commits take a second.
 */
export async function listCommits(history: History, range: HistoryRange): Promise<Commit[]> {
  const { since, until, maxCommits, firstParent } = range
  const log = ['log', '-z', '--raw', '--numstat', '--abbrev=40', ...DIFF]
  const selection = [
    `--max-count=${maxCommits}`,
    ...(firstParent ? ['--first-parent', '-m'] : []),
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
  ]
  const text = await history
    .git(...log, '--format=%H%n%P%n%cs%n%B', ...selection, 'HEAD', '--')
    .catch((error: Error) => {
      throw suiteError(`cannot read the log of ${history.from}: ${lastLine(error.message)}`)
    })
  const commits = readLog(text.toString('utf8').split('\0'))
  if (commits.length === 0)
    throw suiteError(`${history.from} has no commit in this range: change --since or --until`)
  return commits
}

const HEADER = /^([0-9a-f]{40})\n([0-9a-f ]*)\n([\d-]*)\n(.*)$/s
const RAW = /^\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /
const NUMSTAT = /^(\d+|-)\t(\d+|-)\t(.+)$/s

/** Parses git's log: per commit a header, two parts per file (`--raw`), and one per file with its lines (`--numstat`). */
function readLog(parts: readonly string[]): Commit[] {
  const commits: Commit[] = []
  let files = new Map<string, ChangedFile>()
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const [raw, mode = '', newMode = '', id = '', newId = ''] = RAW.exec(part) ?? []
    if (raw) {
      at += 1
      const path = parts[at] ?? ''
      const after = { mode: newMode, id: newId }
      files.set(path, { path, before: { mode, id }, after, lines: null })
    } else if (!countFile(files, part)) {
      files = new Map()
      commits.push(...readHeader(part, files))
    }
  }
  return commits
}

/** Adds a file's number of changed lines, unless it is binary. Returns false if the part is not a `--numstat` part. */
function countFile(files: ReadonlyMap<string, ChangedFile>, part: string): boolean {
  const [counts, added, removed, path = ''] = NUMSTAT.exec(part) ?? []
  const file = files.get(path)
  if (file && added !== '-') file.lines = Number(added) + Number(removed)
  return counts !== undefined
}

function readHeader(part: string, files: Commit['files']): Commit[] {
  const [header, id = '', parents = '', date = '', message = ''] = HEADER.exec(part) ?? []
  return header ? [{ id, parents: parents.split(' ').filter(Boolean), date, message, files }] : []
}

/** Lists the messages of the commits that a merge adds, oldest first. */
export async function listMergedMessages(history: History, { parents }: Commit): Promise<string[]> {
  const [into = '', ...from] = parents
  const args = ['log', '-z', '--reverse', '--no-merges', '--max-count=100', '--format=%B']
  const text = await history.git(...args, ...from, `^${into}`, '--')
  return text
    .toString('utf8')
    .split('\0')
    .filter((one) => one.trim() !== '')
}

/** Returns git's diff of some files of a commit. */
export async function diffOf(
  history: History,
  { id, parents }: Commit,
  files: readonly ChangedFile[],
): Promise<string> {
  const diff = ['diff-tree', '-r', ...DIFF, '--patch', '--full-index']
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/']
  const paths = files.map(({ path }) => path)
  const text = await history.git(...diff, ...prefixes, parents[0] ?? '', id, '--', ...paths)
  return text.toString('utf8')
}

/** One entry of a commit's tree. */
export type TreeFile = { path: string; mode: string; id: string; size: number }

/** Lists all files of a commit, without submodules. */
export async function listTree(history: History, commit: string): Promise<TreeFile[]> {
  const text = await history.git('ls-tree', '-r', '-l', '-z', commit, '--')
  return text
    .toString('utf8')
    .split('\0')
    .flatMap((part) => {
      const found = /^(\d{6}) blob ([0-9a-f]+)\s+(\d+)\t(.+)$/s.exec(part)
      const [, mode = '', id = '', size = '', path = ''] = found ?? []
      return found ? [{ path, mode, id, size: Number(size) }] : []
    })
}
