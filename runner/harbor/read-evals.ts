import { existsSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { z } from 'zod'
import { relativePathSchema } from '#lib/domain/record/index.ts'
import { behavioursSchema } from '#lib/domain/tasks/index.ts'
import { formatIssues } from '#lib/domain/text/index.ts'
import { type Change, readOverlay } from '../repository/overlay.ts'
import { suiteError } from '../runner-error.ts'
import type { LeftOutTask } from '../suites/left-out.ts'
import { readJson } from '../suites/read-json.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import { below, loadCase } from './read-case.ts'
import { commandFor } from './write-case.ts'

/** A skill's own cases (agentskills.io/skill-creation/evaluating-skills). */
const EVALS_FILE = 'evals/evals.json'

const evalSchema = z.looseObject({
  id: z.union([
    z.number().int().nonnegative(),
    z.string().regex(/^[a-z0-9][a-z0-9._-]{0,60}$/i, 'must be a number or a plain name'),
  ]),
  prompt: z.string().trim().min(1),
  /** Paths from the skill's folder. */
  files: z.array(relativePathSchema).max(1000).default([]),
  /** An addition to the format: a script of the skill, or a shell command. */
  check: z.string().trim().min(1).max(4000).optional(),
  expect: behavioursSchema.optional(),
})
type Eval = z.infer<typeof evalSchema>

const fileSchema = z.looseObject({ evals: z.array(evalSchema).min(1).max(1000) })

const NO_CHECK =
  'has no "check", and sentences are not judged: add a script of the skill, or a command such as "test -s report.csv"'

export function hasEvals(folder: string): boolean {
  return existsSync(join(folder, 'SKILL.md')) && existsSync(join(folder, EVALS_FILE))
}

/** Reads the evals of a skill as tasks. Those without a check are left out. Throws a RunnerError if nothing is left. */
export function readEvals(folder: string): { tasks: LoadedHarbor[]; leftOut: LeftOutTask[] } {
  const place = `${basename(folder)}/${EVALS_FILE}`
  const evals = parseEvals(folder, place)
  const skill = readFiles(folder, place)
  const tasks: LoadedHarbor[] = []
  const leftOut: LeftOutTask[] = []
  for (const one of evals) {
    const name = nameOf(one)
    if (one.check === undefined)
      leftOut.push({ name, problem: { path: place, message: `eval ${one.id} ${NO_CHECK}` } })
    else tasks.push(loadCase({ name, place }, () => toCase(one, one.check ?? '', skill)))
  }
  if (tasks.length > 0) return { tasks, leftOut }
  throw suiteError(`${place}: eval ${evals[0]?.id} ${NO_CHECK}; or name other tasks with --suite`)
}

function parseEvals(folder: string, place: string): Eval[] {
  const fail = (message: string) =>
    suiteError('the evals cannot be read', [{ path: place, message }])
  const json = readJson(join(folder, EVALS_FILE))
  if (json.error !== null) throw fail(json.error)
  const parsed = fileSchema.safeParse(json.value)
  if (!parsed.success) {
    const [first] = formatIssues(parsed.error.issues)
    throw fail(`${first?.path}: ${first?.message}`)
  }
  const { evals } = parsed.data
  const names = evals.map(nameOf)
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice !== -1) throw fail(`two evals have the id ${evals[twice]?.id}: change one`)
  return evals
}

function readFiles(folder: string, place: string): Change[] {
  try {
    return readOverlay(folder)
  } catch (error) {
    throw suiteError('the evals cannot be read', [
      { path: place, message: `beside it, the skill ${(error as Error).message}` },
    ])
  }
}

/** `eval-1`; of a name, the name. */
function nameOf({ id }: Eval): string {
  return typeof id === 'number' ? `eval-${id}` : id.toLowerCase()
}

function toCase(one: Eval, check: string, skill: readonly Change[]) {
  const files = one.files.map((path) => {
    const found = skill.find((file) => file.path === path)
    if (found === undefined) throw new Error(`eval ${one.id} names ${path}, which is not there`)
    return { ...found, path: startPath(path) }
  })
  const path = posix.normalize(check)
  const script = skill.find((file) => file.path === path)
  const name = posix.basename(path)
  const command = script === undefined ? check : commandFor(name)
  if (command === null)
    throw new Error(
      `eval ${one.id} has the check ${check}, which must end in .sh, .py, .js or .mjs`,
    )
  return {
    name: nameOf(one),
    prompt: one.prompt,
    files,
    check: { files: script === undefined ? [] : [{ ...script, path: name }], command },
    solution: below(skill, `evals/solutions/${one.id}/`),
    expect: one.expect,
  }
}

/** Returns the path of a file in the workspace: `data/sales.csv` for `evals/files/data/sales.csv`. */
function startPath(path: string): string {
  return path.replace(/^evals\/(files\/)?/, '')
}
