import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Digest } from '#lib/domain/digest/index.ts'
import type { Exercise, Suite, Task, Workflow } from '#lib/domain/tasks/index.ts'
import type { ForAgents } from './for-agents.ts'

/** A text file by its path inside the task. */
export type SourceText = { path: string; text: string }

/** An exercise with its files; `draft` lacks what only a run of the reference can show. */
export type ExerciseFolder = {
  folder: string
  draft: Omit<Exercise, 'digest' | 'expectedTests'>
  /** Names stored in `.meta/tests.json` while its digest still matches the tests; null = collect them again. */
  knownTests: readonly string[] | null
  testsDigest: Digest
  /** All files for a subject, in path order. */
  template: readonly TemplateFile[]
  stubs: readonly SourceText[]
  tests: readonly SourceText[]
  support: readonly SourceText[]
  instructions: string
  /** The reference, under the paths of the solution files. */
  reference: readonly SourceText[]
  /** `.meta/held-out.ts`: what the verifier checks besides the visible tests; null = visible tests only. */
  heldOut: SourceText | null
  /** Solutions written from the instructions alone, by author: must be solved. */
  honest: readonly { name: string; files: readonly SourceText[] }[]
  /** Plausible wrong solutions by defect, under the paths of the solution files. */
  wrong: readonly { name: string; files: readonly SourceText[] }[]
}

/** An exercise that is ready to be attempted. */
export type LoadedExercise = ExerciseFolder & {
  task: Exercise
  forAgents: ForAgents<LoadedExercise>
}

/** A browser workflow that is ready to be attempted. */
export type LoadedWorkflow = { folder: string; task: Workflow }

/** A suite of browser workflows. */
export type BrowserSuite = { suite: Suite; tasks: readonly LoadedWorkflow[] }

/** A task that an agent works on in a folder of files; its kind adds more. */
export type AgentTask = {
  folder: string
  task: Task
  wrong: readonly { name: string }[]
  forAgents: ForAgents<AgentTask>
  /** Why it cannot be run, as the end of a sentence; absent or null = it is proven. */
  unproven?: string | null
  /** Why no machine can run it, as the end of a sentence; absent or null = one can. */
  refusal?: string | null
}

/** Returns the steps of a task, each as a task of its own; the task itself if it has none. */
export function agentSteps(task: AgentTask): readonly AgentTask[] {
  return task.forAgents.steps?.(task) ?? [task]
}

/** A task of any kind that is ready to be attempted. */
export type LoadedTask = AgentTask | LoadedWorkflow

/** True for a task that an agent works on in a folder of files. */
export function isAgentTask(task: LoadedTask): task is AgentTask {
  return 'forAgents' in task
}

/** One file of a task's pristine folder, read once and copied out for every attempt. */
type TemplateFile = { path: string; bytes: Buffer }

const MAX_BYTES = 32 << 20
// Hidden from a subject: references, wrong solutions, expected names, history, installed packages.
const HIDDEN = new Set(['.meta', '.git', 'node_modules', '.yarn', '.pnp.cjs', '.pnp.loader.mjs'])

/**
 * Reads a task folder as the subject gets it. Links and special files are left out: a template has plain files only.
 */
export function readTemplate(folder: string): TemplateFile[] {
  const files = listPlainFiles(folder, '').map((path) => ({
    path,
    bytes: readFileSync(join(folder, path)),
  }))
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > MAX_BYTES)
    throw new Error(`${folder}: more than ${MAX_BYTES >> 20} MiB of task files`)
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function listPlainFiles(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below ? `${below}/${entry.name}` : entry.name
    if (HIDDEN.has(path)) return []
    if (entry.isDirectory()) return listPlainFiles(folder, path)
    return entry.isFile() ? [path] : []
  })
}
