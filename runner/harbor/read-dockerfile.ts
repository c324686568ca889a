import { posix } from 'node:path'
import type { Change } from '../repository/overlay.ts'

/** The result of a Dockerfile: a folder with files, or an image that has to be built. */
export type ReadDockerfile =
  | {
      kind: 'files'
      from: string
      workdir: string
      files: readonly Change[]
      env: Record<string, string>
    }
  | { kind: 'image'; why: string; workdir: string | null }

type State = {
  from: string | null
  workdir: string | null
  files: Map<string, Change>
  env: Record<string, string>
}

/** Default working folder of Harbor's own tasks. */
const DEFAULT_WORKDIR = '/app'

/** Instructions without effect on the initial files; CMD is not used. */
const SILENT = new Set(['LABEL', 'MAINTAINER', 'EXPOSE', 'CMD', 'STOPSIGNAL'])

/**
 * Interprets a Dockerfile with the files next to it. Only FROM, WORKDIR, ENV and plain COPY lines are possible without
 * building an image. Throws an Error for a COPY that leaves the folder or names a missing file.
 */
export function readDockerfile(text: string, beside: readonly Change[]): ReadDockerfile {
  const state: State = { from: null, workdir: null, files: new Map(), env: {} }
  let why: string | null = null
  for (const line of logicalLines(text)) {
    const [, word = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(line) ?? []
    // The first reason is reported; later lines are still checked for paths that leave the folder.
    const reason = readLine(word.toUpperCase(), rest.trim(), state, beside)
    why ??= reason
  }
  if (state.from === null) throw new Error('has no FROM line')
  const { from, workdir, env } = state
  if (why === null && beside.some(({ path }) => path === '.dockerignore'))
    why = 'a .dockerignore decides which files are copied'
  why ??= findWideWorkdir(workdir ?? DEFAULT_WORKDIR)
  if (why !== null) return { kind: 'image', why, workdir }
  const root = workdir ?? DEFAULT_WORKDIR
  const all = [...state.files.values()]
  const outside = all.find(({ path }) => !path.startsWith(`${root}/`))
  if (outside) return { kind: 'image', why: `it puts ${outside.path} outside of ${root}`, workdir }
  const files = all.map((file) => ({ ...file, path: file.path.slice(root.length + 1) }))
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { kind: 'files', from, workdir: root, files, env }
}

/** Returns null if the line is supported, otherwise why an image is needed. */
function readLine(
  word: string,
  rest: string,
  state: State,
  beside: readonly Change[],
): string | null {
  if (SILENT.has(word)) return null
  if (/\$/.test(rest) && word !== 'RUN') return `${word} uses a variable of the build`
  switch (word) {
    case 'FROM':
      return readFrom(rest, state)
    case 'WORKDIR':
      state.workdir = posix.resolve(state.workdir ?? '/', unquote(rest))
      return null
    case 'ENV':
      return readEnv(rest, state)
    case 'COPY':
    case 'ADD':
      return readCopy(word, rest, state, beside)
    case 'ENTRYPOINT':
      return /^\[\s*\]$/.test(rest) ? null : 'it starts a program of its own (ENTRYPOINT)'
    case 'RUN':
      return `it runs commands: ${rest.slice(0, 100)}`
    default:
      return `it has a line ${word.slice(0, 40)}`
  }
}

function readFrom(rest: string, state: State): string | null {
  if (state.from !== null) return 'it is built in several stages'
  state.from = rest.split(/\s+/).find((part) => !part.startsWith('--')) ?? ''
  if (state.from === '') throw new Error('has a FROM line without an image')
  return null
}

function readEnv(rest: string, { env }: State): string | null {
  const pairs = [...rest.matchAll(/([A-Za-z_]\w*)=("[^"\\]*"|[^\s"'\\]*)(?:\s+|$)/g)]
  if (pairs.map(([whole]) => whole).join('') !== rest) return 'ENV is written in an older form'
  for (const [, name = '', value = ''] of pairs) env[name] = unquote(value)
  return null
}

function readCopy(
  word: string,
  rest: string,
  state: State,
  beside: readonly Change[],
): string | null {
  if (/^\[|<<|["'\\]/.test(rest)) return `${word} is written in a longer form`
  const words = rest.split(/\s+/)
  const flags = words.filter((part) => part.startsWith('--'))
  const paths = words.filter((part) => !part.startsWith('--'))
  const sources = paths.slice(0, -1)
  const target = paths.at(-1) ?? ''
  if (sources.length === 0) throw new Error(`has a ${word} line without a source`)
  const odd = flags.find((flag) => !flag.startsWith('--chown='))
  if (odd) return `${word} has the option ${odd.slice(0, 60)}`
  if (sources.some((source) => /[*?[]/.test(source))) return `${word} takes names with wildcards`
  if (
    word === 'ADD' &&
    sources.some((source) => /:\/\/|^git@|\.(tar|t?gz|bz2|xz|tgz)/.test(source))
  )
    return 'ADD fetches or unpacks'
  const end = posix.resolve(state.workdir ?? '/', target)
  const isFolder = /\/$|^\.{1,2}$/.test(target) || sources.length > 1 || end === state.workdir
  for (const source of sources) copyOne(source, { end, isFolder }, state, beside)
  return null
}

function copyOne(
  source: string,
  { end, isFolder }: { end: string; isFolder: boolean },
  { files }: State,
  beside: readonly Change[],
): void {
  const path = posix.normalize(source.replace(/^\/+/, '')).replace(/\/$/, '')
  if (path === '..' || path.startsWith('../'))
    throw new Error(`copies ${source}, which leads out of environment/`)
  const put = (file: Change, to: string) => files.set(to, { ...file, path: to })
  const single = beside.find((file) => file.path === path)
  if (single) {
    put(single, isFolder ? posix.join(end, posix.basename(path)) : end)
    return
  }
  const prefix = path === '.' || path === '' ? '' : `${path}/`
  const below = beside.filter((file) => file.path.startsWith(prefix))
  if (below.length === 0) throw new Error(`copies ${source}, which is not in environment/`)
  for (const file of below) put(file, posix.join(end, file.path.slice(prefix.length)))
}

/** Root folders of a system or of the format, which a task's folder cannot replace. */
const TAKEN = new Set(
  'bin boot dev etc home lib lib32 lib64 libx32 logs opt proc run sbin solution sys tests tmp usr var'.split(
    ' ',
  ),
)

function findWideWorkdir(workdir: string): string | null {
  const [, first = ''] = workdir.split('/')
  if (first === '') return 'it works in the root folder'
  return TAKEN.has(first) ? `it works in ${workdir}, a folder of the system` : null
}

/** Lines as docker reads them: without comments and empty ones, continued ones joined. */
function logicalLines(text: string): string[] {
  const lines: string[] = []
  let open = ''
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    if (line.endsWith('\\')) open += `${line.slice(0, -1)} `
    else {
      lines.push(open + line)
      open = ''
    }
  }
  if (open.trim() !== '') lines.push(open.trim())
  return lines
}

function unquote(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? text
}
