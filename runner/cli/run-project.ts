import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import {
  findProjectFile,
  fromProject,
  type Project,
  type ProjectSubject,
  projectSettings,
  readProject,
  subjectName,
} from '../project/read-project.ts'
import { usageError } from '../runner-error.ts'
import { isControl } from '../subjects/find-subject.ts'
import { attributeOf, freshRunId } from './options.ts'
import { printResult } from './output.ts'

type GivenOptions = Readonly<Record<string, unknown>>

/** Options that name a subject, and so replace the subjects of the file. */
const SUBJECT_OPTIONS = ['subject', 'command', 'agentFile', 'libraryFile']

/** Returns the project file of a run; null = the options name everything. */
export function projectFileOf(options: GivenOptions, folder: string): string | null {
  if (typeof options.config === 'string') {
    if (options.plan !== undefined)
      throw usageError('--plan is a whole run already: remove --config', '--config')
    return options.config
  }
  const isNamed = ['suite', 'plan', 'dataset', 'allAgents', 'allLibraries'].some(
    (name) => options[name] !== undefined,
  )
  return isNamed ? null : findProjectFile(folder)
}

/**
 * Runs every subject of a project file, one after the other, each into its own folder if there are several. Typed
 * options override the file. Exit code: the worst of the runs.
 */
export async function runProject(
  file: string,
  { options, command }: { options: GivenOptions; command: Command },
  run: (options: GivenOptions) => Promise<void>,
): Promise<void> {
  const project = readProject(file)
  const tasks = typeof options.tasksOf === 'string' ? readProject(options.tasksOf) : project
  const typed = typedOptions(options, command)
  const subjects = subjectsOf(project, typed, file)
  const isOne = subjects.length === 1
  const codes: number[] = []
  for (const [index, one] of subjects.entries()) {
    const name = subjectName(one, index)
    if (!isOne && options.json !== true) printResult(`== ${name}`)
    const out = placeOf(project, typed.out, isOne ? null : name)
    process.exitCode = 0
    await run({
      ...options,
      ...taskOptions(tasks, isWithoutModel({ ...one, ...typed })),
      ...subjectOptions(project, one),
      ...armsFor(project, { ...one, ...typed }),
      ...typed,
      out,
    })
    codes.push(Number(process.exitCode))
    if (process.exitCode === INTERRUPTED) break
  }
  process.exitCode = Math.max(...codes)
}

/** Returns the subjects; a typed one is named by the options alone. */
function subjectsOf(
  project: Project,
  typed: GivenOptions,
  file: string,
): readonly ProjectSubject[] {
  if (SUBJECT_OPTIONS.some((name) => typed[name] !== undefined)) return [{}]
  const { subjects, arms } = project
  if (subjects.length > 1 && typed.runId !== undefined)
    throw usageError(`${file} names several subjects: remove --run-id`, '--run-id')
  if (arms !== undefined && subjects.every(isWithoutModel))
    throw usageError(`${file} names arms but no agent: arms need an agent, as in subject: claude`)
  return subjects
}

/** `part` is the subject's name if there are several. */
function placeOf({ folder }: Project, typed: unknown, part: string | null): string {
  if (typed === undefined) return join(folder, '.proofboard', 'runs', freshRunId())
  const out = resolve(String(typed))
  return part === null ? out : join(out, part)
}

const INTERRUPTED = 130

function typedOptions(options: GivenOptions, command: Command): Record<string, unknown> {
  const isTyped = ([name]: [string, unknown]) => command.getOptionValueSource(name) === 'cli'
  return Object.fromEntries(Object.entries(options).filter(isTyped))
}

function taskOptions(project: Project, forControl: boolean): Record<string, unknown> {
  const settings = [...projectSettings(project, { forControl })].map(([flag, value]) => [
    attributeOf(flag),
    value,
  ])
  const cap = project['spend-cap']
  return {
    ...Object.fromEntries(settings),
    suite: fromProject(project, project.suite),
    tasks: project.tasks,
    repetitions: project.repetitions,
    concurrency: project.concurrency,
    ...(cap === undefined ? {} : { spendCap: Math.round(cap * MICRO) }),
  }
}

/** Controls: a project's arms and model limits apply to its agents only. */
function isWithoutModel({ subject }: GivenOptions): boolean {
  return typeof subject === 'string' && isControl(subject)
}

function armsFor({ arms, folder }: Project, one: GivenOptions) {
  return arms === undefined || isWithoutModel(one) ? {} : { projectArms: { written: arms, folder } }
}

const MICRO = 1e6
const FILES: ReadonlySet<string> = new Set(['agent-file', 'library-file', 'provider-file'])

function subjectOptions(project: Project, one: ProjectSubject): Record<string, unknown> {
  const options = Object.entries(one).map(([name, value]) => [
    attributeOf(`--${name}`),
    FILES.has(name) ? resolve(project.folder, String(value)) : value,
  ])
  return Object.fromEntries(options)
}
