import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import type { HarborFile, HarborStep, HarborTask } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { type Change, digestChanges, readOverlay } from '../repository/overlay.ts'
import type { StepFiles } from './harbor-folder.ts'
import { readInstruction } from './read-part.ts'

/** The files of one step, with its instruction. */
export type ReadStep = StepFiles & { instruction: string }

type Shared = {
  /** Files of the task, for steps without their own. */
  tests: readonly Change[]
  solution: readonly Change[]
  /** Throws unless there is a script to start. */
  requireTest: (files: readonly Change[]) => void
  /** Names the file that is read, for messages. */
  at: <T>(path: string, get: () => T) => T
}

/** Reads the folders of the steps that a `task.toml` names. Throws an Error for the first one that is incomplete. */
export function readSteps(
  folder: string,
  steps: HarborFile['steps'],
  { tests, solution, at, requireTest }: Shared,
): ReadStep[] {
  return steps.map(({ name }) => {
    const place = `steps/${name}`
    at(place, () => requireFolder(folder, place))
    const read = (part: string) =>
      at(`${place}/${part}`, () => readOverlay(join(folder, place, part)))
    const own = { tests: read('tests'), solution: read('solution') }
    const all = replaceFiles(tests, own.tests)
    at(`${place}/tests/test.sh`, () => requireTest(all))
    const has = (part: string) => existsSync(join(folder, place, part))
    return {
      name,
      instruction: at(`${place}/instruction.md`, () =>
        readInstruction(folder, `${place}/instruction.md`),
      ),
      workdir: read('workdir'),
      tests: all,
      testsFolder: has('tests') ? `${place}/tests` : 'tests',
      solution: withSolve(has('solution') ? own.solution : solution),
    }
  })
}

/** A link could lead out of the task. */
function requireFolder(folder: string, place: string): void {
  for (const path of ['steps', place]) {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false })
    if (found === undefined) throw new Error('is missing')
    if (!found.isDirectory()) throw new Error('is not a folder')
  }
}

function replaceFiles(files: readonly Change[], newer: readonly Change[]): Change[] {
  const names = new Set(newer.map(({ path }) => path))
  return [...files.filter(({ path }) => !names.has(path)), ...newer]
}

/** Returns the files of a solution; null if they contain no script to start. */
export function withSolve(files: readonly Change[]): readonly Change[] | null {
  return files.some(({ path }) => path === 'solve.sh') ? files : null
}

/** Returns the solution of a whole task: that of each step, by its folder; null if a step has none. */
export function joinSolutions(steps: readonly ReadStep[]): readonly Change[] | null {
  const all = steps.map(({ name, solution }) =>
    solution?.map((file) => ({ ...file, path: `steps/${name}/${file.path}` })),
  )
  return all.every((one) => one !== undefined) ? all.flat() : null
}

const MAX_CHARACTERS = 200_000

/** Returns the instructions of all steps as one text, for readers: an agent gets them one after the other. */
export function joinInstructions(steps: readonly ReadStep[]): string {
  const texts = steps.map(
    ({ name, instruction }, at) => `# Step ${at + 1} of ${steps.length}: ${name}\n\n${instruction}`,
  )
  const text = texts.join('\n\n')
  if (text.length > MAX_CHARACTERS)
    throw new Error(
      `have instructions of ${countOf(text.length, 'character')}, more than ${MAX_CHARACTERS}`,
    )
  return text
}

/** Returns the described steps with their instructions; nothing for a task without steps. */
export function withInstructions(
  described: readonly HarborStep[] | undefined,
  read: readonly ReadStep[],
): Pick<HarborTask, 'steps'> {
  if (described === undefined) return {}
  return {
    steps: described.map((step, at) => ({ ...step, instruction: read[at]?.instruction ?? '' })),
  }
}

/** Digest of the files of a step that decide a pass; not of its solution. */
export function digestStep({ workdir, tests, testsFolder }: ReadStep) {
  return digestJson({ testsFolder, workdir: digestChanges(workdir), tests: digestChanges(tests) })
}
