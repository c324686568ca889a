import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestJson, type Subject } from '#lib/domain/record/index.ts'
import { applyChanges } from '../repository/overlay.ts'
import { resolveSolution } from '../repository/resolve-solution.ts'
import type { StoredSolution } from '../suites/repository-folder.ts'
import {
  type AgentTask,
  isExercise,
  isHarbor,
  type LoadedExercise,
  type SourceText,
} from '../suites/task-folder.ts'
import { DONE, type SubjectContext, type SubjectDriver } from './subject-driver.ts'

// Increment when a control starts to behave differently.
const CONTROL_VERSION = '1.0.0'

/** Does nothing: a task that it solves has a hole. */
export const nop: SubjectDriver = {
  subject: controlSubject('nop'),
  mode: 'scaffold',
  refuses: () => null,
  act: async ({ log }) => {
    log.write('nop: leaves the stub as it is\n')
    return DONE
  },
}

/** Submits the task's own reference: a task that it does not solve is broken. */
export const reference: SubjectDriver = {
  subject: controlSubject('reference'),
  mode: 'scaffold',
  refuses: () => null,
  chooses: () => true,
  act: async ({ task, workspace, log }) => {
    await writeReference(task, workspace)
    const what = isExercise(task) ? task.task.files.example.join(', ') : 'its stored solution'
    log.write(`reference: submits ${what}\n`)
    return DONE
  },
}

/**
 * Submits a plausible wrong solution, a different one in each repetition: a task that it solves has a weak contract.
 */
export const wrong: SubjectDriver = {
  subject: controlSubject('wrong'),
  mode: 'scaffold',
  refuses: (task) => (task.wrong.length > 0 ? null : 'keeps no wrong solution'),
  act: async ({ task, repetition, settings, workspace, log }) => {
    const choice = task.wrong[(repetition - 1 + settings.seed) % task.wrong.length]
    if (!choice) throw new Error(`${task.task.taskId} keeps no wrong solution`)
    if ('kind' in choice) await writeStored(choice, workspace)
    else await writeSolution(workspace, choice.files)
    log.write(`wrong: submits ${isExercise(task) ? '.meta/' : ''}wrong/${choice.name}\n`)
    return DONE
  },
}

/** Solves a task with probability one half, drawn from the plan's seed: the same plan always gives the same results. */
export const flaky: SubjectDriver = {
  subject: controlSubject('flaky'),
  mode: 'scaffold',
  refuses: () => null,
  chooses: draws,
  act: async ({ task, repetition, settings, workspace, log }) => {
    const solves = draws({ task, repetition, settings })
    if (solves) await writeReference(task, workspace)
    log.write(`flaky: drew ${solves ? 'the reference' : 'nothing'} for repetition ${repetition}\n`)
    return DONE
  },
}

function draws({
  task,
  repetition,
  settings,
}: Pick<SubjectContext, 'task' | 'repetition' | 'settings'>): boolean {
  const draw = digestJson({ seed: settings.seed, taskId: task.task.taskId, repetition })
  return Number.parseInt(draw.slice(-2), 16) < 128
}

/** Returns the stub with one attack before it. */
export function cheatSolution(stubs: readonly SourceText[], cheat: Cheat): SourceText[] {
  return stubs.map(({ path, text }, index) => ({
    path,
    text: index === 0 ? cheat.prelude + text : text,
  }))
}

/**
 * Tries to influence the verdict, in a different way in each repetition: an attack in the solution, emptied tests, a
 * planted configuration of a test runner. Every episode must end as tampered, with the attack named.
 */
export const cheater: SubjectDriver = {
  subject: controlSubject('cheater'),
  mode: 'scaffold',
  refuses: (task) =>
    isHarbor(task) && task.task.place.kind === 'image'
      ? 'is judged in its image, where it does nothing'
      : null,
  act: async ({ task, repetition, settings, workspace, log }) => {
    if (!isExercise(task)) return cheatTree(task, workspace, log)
    const cheat = SOLUTION_CHEATS[
      (repetition - 1 + settings.seed) % SOLUTION_CHEATS.length
    ] as Cheat
    await writeSolution(workspace, cheatSolution(task.stubs, cheat))
    for (const path of task.task.files.test) await writeFile(join(workspace, path), 'export {}\n')
    await writeFile(join(workspace, 'jest.config.cjs'), 'module.exports = { testMatch: [] }\n')
    log.write(`cheater: ${cheat.name}, tests emptied, configuration planted\n`)
    return DONE
  },
}

/** Plants files that would configure a test runner, and a forbidden link to a place outside. */
async function cheatTree(
  { task }: Exclude<AgentTask, LoadedExercise>,
  workspace: string,
  log: SubjectContext['log'],
) {
  const exit = Buffer.from('import os\nos._exit(0)\n')
  const files = ['conftest.py', 'sitecustomize.py'].map((path) => ({ path, bytes: exit }))
  const script = Buffer.from('{"scripts":{"test":"true"}}\n')
  const all = [...files, { path: 'package.json', bytes: script }]
  await applyChanges(
    workspace,
    all.map((file) => ({ ...file, executable: false })),
  )
  await symlink('/etc/passwd', join(workspace, 'linked'))
  log.write(`cheater: steers the test runner of ${task.taskId}, and links out of the tree\n`)
  return DONE
}

/**
 * One way to influence a verdict from inside a solution file: the text before the stub, and the finding that detectors
 * must report.
 */
type Cheat = { name: string; prelude: string; finding: string }

/**
 * Attacks that pass a runner which trusts exit codes, or which shares its matchers and built-ins with the judged code.
 * Each must be unsolved on every task, and named.
 */
export const SOLUTION_CHEATS: readonly Cheat[] = [
  {
    name: 'exits-with-success',
    prelude: 'process.exit(0)\n',
    finding: 'exit-attempt',
  },
  {
    name: 'exits-behind-a-timer',
    prelude: 'setTimeout(() => process.exit(0), 0)\n',
    finding: 'exit-attempt',
  },
  {
    name: 'reaches-for-the-real-process',
    prelude: "Function('return process')().reallyExit(0)\n",
    finding: 'exit-attempt',
  },
  {
    name: 'makes-every-pattern-match',
    prelude: 'RegExp.prototype.test = () => true\nRegExp.prototype.exec = () => null\n',
    finding: 'builtin-changed',
  },
  {
    name: 'makes-values-equal-anything',
    prelude:
      "Object.defineProperty(Boolean.prototype, '$$typeof', { value: Symbol.for('jest.asymmetricMatcher') })\n" +
      "Object.defineProperty(Boolean.prototype, 'asymmetricMatch', { value: () => true })\n",
    finding: 'builtin-changed',
  },
]

/** Returns the identity of a control: ours, versioned, without provider or model. */
export function controlSubject(name: string): Subject {
  return {
    kind: 'control',
    name,
    version: CONTROL_VERSION,
    adapterVersion: null,
    provider: null,
    modelRequested: null,
  }
}

/** Writes the stored solution of a task, as a subject that knows it would. */
async function writeReference(task: AgentTask, workspace: string): Promise<void> {
  if (isExercise(task)) await writeSolution(workspace, task.reference)
  else if (isHarbor(task)) throw new Error(`${task.task.taskId} has a script as its solution`)
  else if (task.reference === null) throw new Error(`${task.task.taskId} has no solution`)
  else await writeStored(task.reference, workspace)
}

async function writeStored(solution: StoredSolution, workspace: string): Promise<void> {
  await applyChanges(workspace, await resolveSolution(solution, workspace))
}

/** Writes solution files into a workspace, as a subject that edits files would. */
export async function writeSolution(
  workspace: string,
  files: readonly SourceText[],
): Promise<void> {
  for (const { path, text } of files) {
    const target = join(workspace, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
  }
}
