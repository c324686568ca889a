import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { writeAtomic } from '../engine/files.ts'
import { usageError } from '../runner-error.ts'
import type { ExampleFile } from './example-exercise.ts'
import { PROJECT_FILE, type ProjectSubject } from './read-project.ts'

/** Contents of a new project. */
export type NewProject = {
  subject: ProjectSubject
  /** The files of a new suite, or the name of an existing one. */
  tasks: readonly ExampleFile[] | string
  isolation: string
}

/** Folder of the suite in a new project. */
export const SUITE_FOLDER = 'proofboard-tasks'
const IGNORED = '.proofboard/'

/**
 * Writes the files of a new project, all or none, without overwriting. Returns their paths. Throws a RunnerError that
 * names the obstacle.
 */
export async function initProject(folder: string, project: NewProject): Promise<string[]> {
  const place = resolve(folder)
  const isExample = typeof project.tasks !== 'string'
  for (const name of [PROJECT_FILE, ...(isExample ? [SUITE_FOLDER] : [])])
    if (existsSync(join(place, name)))
      throw usageError(`${join(folder, name)} already exists: nothing was written`)
  const staging = join(place, `.proofboard-init-${process.pid}`)
  const suite = join(place, SUITE_FOLDER)
  let isSuiteThere = false
  try {
    mkdirSync(staging, { recursive: true })
    writeFileSync(join(staging, PROJECT_FILE), projectText(project))
    if (typeof project.tasks !== 'string') {
      writeSuite(join(staging, SUITE_FOLDER), project.tasks)
      renameSync(join(staging, SUITE_FOLDER), suite)
      isSuiteThere = true
    }
    // Linking fails if a file of this name has appeared meanwhile. Done last, because it completes the project.
    linkSync(join(staging, PROJECT_FILE), join(place, PROJECT_FILE))
  } catch (error) {
    if (isSuiteThere) rmSync(suite, { recursive: true, force: true })
    throw error
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  const isIgnoring = await ignoreRuns(join(place, '.gitignore'))
  return [
    PROJECT_FILE,
    ...(isExample ? [`${SUITE_FOLDER}/`] : []),
    ...(isIgnoring ? ['.gitignore'] : []),
  ]
}

function writeSuite(folder: string, files: readonly ExampleFile[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Adds a line for the runs to the file, unless it is there. Returns true if it was added. */
async function ignoreRuns(file: string): Promise<boolean> {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before.split(/\r?\n/).some((line) => /^\/?\.proofboard\/?$/.test(line.trim()))) return false
  const end = before === '' || before.endsWith('\n') ? '' : '\n'
  await writeAtomic(file, `${before}${end}${IGNORED}\n`)
  return true
}

const MAX_NAME_LENGTH = 40

/** Returns the suite name of a project in this folder. */
export function suiteNameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, MAX_NAME_LENGTH)
  return `${name || 'my'}-tasks`
}

/** Returns the project file; its comments list further options. */
function projectText({ subject, tasks, isolation }: NewProject): string {
  const settings = isolation === 'auto' ? {} : { isolation }
  const project = {
    schemaVersion: 1,
    suite: typeof tasks === 'string' ? tasks : SUITE_FOLDER,
    repetitions: 3,
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
    subjects: [subject],
  }
  return `${HEAD}${stringify(project)}`
}

const HEAD = `# What "npx proofboard run" measures here.
#   suite: a folder beside this file, or the name of a suite (npx proofboard suite list)
#   tasks: [a, b] (only these) · repetitions · concurrency · spend-cap (US dollars)
#   settings: the limits of one attempt, under the names of the options of "proofboard run"
#   subjects: subject, or command with name and subject-version, or agent-file, or library-file; with model, provider,
#             provider-file, agent-version where they apply. Several are run one after the other.
#   arms: [{ name, files: folder or { path: file }, mcpServers, promptPrefix, settings, agentVersion }] are played by
#             each agent beside an empty arm "baseline", to show what a skill, rules or a prompt are worth
`
