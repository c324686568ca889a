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

/** The history of a repository, in our own bare copy: nothing of the original is run or written. */
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
  const which = branch === undefined ? [] : ['--branch', branch]
  await plainGit([...CALM, ...clone, ...which, '--', from, folder]).catch((error: Error) => {
    throw suiteError(`cannot read the history of ${from}: ${lastLine(error.message)}`)
  })
  const ask = (args: readonly string[], input?: string) =>
    plainGit([...CALM, `--git-dir=${folder}`, '--literal-pathspecs', ...args], input)
  return {
    from,
    isLocal: !isRemote,
    git: (...args) => ask(args),
    readBlobs: async (ids) =>
      splitBlobs(await ask(['cat-file', '--batch'], ids.map((id) => `${id}\n`).join('')), ids),
  }
}

/** Refuses what is not a repository; a file may be a git bundle. */
export async function requireRepository(path: string): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw usageError(`${path} does not exist: enter a git repository`)
  if (found.isFile() && isSweBenchList(path))
    throw usageError(`${path} is not a repository: ${SWE_BENCH_LIST}`)
  if (found.isFile()) return
  const said = await plainGit(['-C', path, 'rev-parse', '--show-prefix']).catch(
    (error: Error) => error,
  )
  if (said instanceof Error)
    throw usageError(
      /dubious ownership/.test(said.message)
        ? `git refuses ${path}, which belongs to another user`
        : `${path} is not a git repository: enter one`,
    )
  if (said.toString().trim() !== '')
    throw usageError(`${path} is a folder of a git repository: enter its root`)
}

const quote = (text: string) => JSON.stringify(text.slice(0, 100))

/** Splits the output of `cat-file --batch`: a line with the size before each content. */
function splitBlobs(answer: Buffer, ids: readonly string[]): Buffer[] {
  let at = 0
  return ids.map((id) => {
    const end = answer.indexOf(10, at)
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(answer.toString('latin1', at, end))?.[1]
    if (size === undefined) throw new Error(`git has no content for ${id}`)
    const start = end + 1
    at = start + Number(size) + 1
    return answer.subarray(start, at - 1)
  })
}

/** Lists the commits of a range, newest first. Throws a RunnerError if there are none. */
export async function listCommits(history: History, range: HistoryRange): Promise<Commit[]> {
  const { since, until, maxCommits, firstParent } = range
  const text = await history
    .git(
      ...['log', '-z', '--format=%H%x01%P%x01%cs%x01%B', `--max-count=${maxCommits}`],
      ...(firstParent ? ['--first-parent'] : []),
      ...(since === undefined ? [] : [`--since=${since}`]),
      ...(until === undefined ? [] : [`--until=${until}`]),
      ...['HEAD', '--'],
    )
    .catch((error: Error) => {
      throw suiteError(`cannot read the log of ${history.from}: ${lastLine(error.message)}`)
    })
  const commits = text
    .toString('utf8')
    .split('\0')
    .filter((part) => part.includes('\u0001'))
    .map(readCommit)
  if (commits.length === 0)
    throw suiteError(`${history.from} has no commit in this range: change --since, --until`)
  return commits
}

function readCommit(part: string): Commit {
  const [id = '', parents = '', date = '', ...message] = part.split('\u0001')
  return { id, parents: parents.split(' ').filter(Boolean), date, message: message.join('\u0001') }
}

/** Lists the messages of the commits that a merge brings, oldest first. */
export async function listBrought(history: History, { parents }: Commit): Promise<string[]> {
  const [into = '', ...from] = parents
  const args = ['log', '-z', '--reverse', '--no-merges', '--max-count=100', '--format=%B']
  const text = await history.git(...args, ...from, `^${into}`, '--')
  return text
    .toString('utf8')
    .split('\0')
    .filter((one) => one.trim() !== '')
}

const DIFF = ['diff-tree', '-r', '-z', '--no-renames', '--no-ext-diff', '--no-textconv']

/** Lists the files that a commit changes, compared with its first parent. */
export async function listChanged(
  history: History,
  { id, parents }: Commit,
): Promise<ChangedFile[]> {
  const pair = [parents[0] ?? '', id, '--']
  const [raw, counts] = await Promise.all([
    history.git(...DIFF, '--raw', '--abbrev=40', ...pair),
    history.git(...DIFF, '--numstat', ...pair),
  ])
  const lines = readCounts(counts.toString('utf8'))
  const parts = raw.toString('utf8').split('\0')
  const files: ChangedFile[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [mode = '', newMode = '', id = '', newId = ''] = (parts[at] ?? '').slice(1).split(' ')
    const path = parts[at + 1] ?? ''
    const [before, after] = [
      { mode, id },
      { mode: newMode, id: newId },
    ]
    files.push({ path, before, after, lines: lines.get(path) ?? null })
  }
  return files
}

function readCounts(text: string): Map<string, number | null> {
  const counts = new Map<string, number | null>()
  for (const part of text.split('\0')) {
    const [, added = '', removed = '', path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(part) ?? []
    if (path) counts.set(path, added === '-' ? null : Number(added) + Number(removed))
  }
  return counts
}

/** Returns a commit's change as git's own diff of some of its files. */
export async function diffOf(
  history: History,
  { id, parents }: Commit,
  files: readonly ChangedFile[],
): Promise<string> {
  const how = ['--patch', '--full-index', '--src-prefix=a/', '--dst-prefix=b/']
  const paths = files.map(({ path }) => path)
  const plain = DIFF.filter((word) => word !== '-z')
  const text = await history.git(...plain, ...how, parents[0] ?? '', id, '--', ...paths)
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
