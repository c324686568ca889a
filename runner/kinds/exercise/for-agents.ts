import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellWord } from '#lib/domain/text/index.ts'
import { isSteering } from '../../arms/steering.ts'
import { cheatSolution, SOLUTION_CHEATS } from '../../subjects/solution-cheats.ts'
import { writeSolution } from '../../subjects/write-solution.ts'
import type { ForAgents } from '../../suites/for-agents.ts'
import type { LoadedExercise } from '../../suites/task-folder.ts'
import { writeCommand } from '../write-command.ts'

/** Exercises as agents see them: a few files, of which only the solution files may be edited. */
export const exerciseForAgents: ForAgents<LoadedExercise> = {
  hasOwnImage: false,
  prompt: (task) => [
    baseInstruction(task),
    '# Instructions',
    task.instructions,
    environmentFacts(task),
  ],
  solve: ({ reference }) => ({
    look:
      reference.length > 0 ? `cat ${reference.map(({ path }) => shellWord(path)).join(' ')}` : 'ls',
    write: reference.map(writeCommand).join(' && '),
  }),
  writeReference: async ({ task, reference }, workspace) => {
    await writeSolution(workspace, reference)
    return task.files.example.join(', ')
  },
  writeWrong: async ({ wrong }, place, workspace) => {
    const { name, files } = wrong[place] as LoadedExercise['wrong'][number]
    await writeSolution(workspace, files)
    return `.meta/wrong/${name}`
  },
  cheat: async ({ task, stubs }, draw, workspace) => {
    const cheat = SOLUTION_CHEATS[draw % SOLUTION_CHEATS.length] as (typeof SOLUTION_CHEATS)[number]
    await writeSolution(workspace, cheatSolution(stubs, cheat))
    for (const path of task.files.test) await writeFile(join(workspace, path), 'export {}\n')
    await writeFile(join(workspace, 'jest.config.cjs'), 'module.exports = { testMatch: [] }\n')
    return `${cheat.name}, tests emptied, configuration planted`
  },
  refuseCheating: () => null,
  refuseOverlay,
  declaredLimits: () => [],
  neededLevel: () => null,
  warnings: () => [],
  answers: (task) => task,
  visibleTexts: ({ instructions, template }, isOfArm) => [
    instructions,
    ...template.filter(({ path }) => !isOfArm(path)).map(({ bytes }) => bytes.toString('utf8')),
  ],
  owns: ({ template }, path) => template.some((file) => file.path.startsWith(path)),
}

// It starts with a letter, so that no command line takes the prompt for an option.
function baseInstruction({ task }: LoadedExercise): string {
  return [
    `Solve the TypeScript exercise "${task.title}" in the current folder. Nobody can answer questions: work until you are done, then end.`,
    `Edit only: ${task.files.solution.join(', ')}.`,
  ].join('\n')
}

function environmentFacts({ task }: LoadedExercise): string {
  // Hidden tests are announced: an agent that knows about them can work for them.
  const judges = task.heldOut
    ? ', by the whole test file, skipped tests included, and by what it does on further inputs that the instructions cover'
    : ' and by the whole test file, skipped tests included'
  return [
    '# Environment',
    '',
    `- Do not change the tests (${task.files.test.join(', ')}) or any other file; they are replaced before your work is judged.`,
    `- Your work is judged by the compiler (strict)${judges}.`,
    '- The harness runs the tests with its own runner, outside of this folder; none is installed here. Do not use the network and install nothing.',
  ].join('\n')
}

function refuseOverlay(
  files: Parameters<ForAgents<LoadedExercise>['refuseOverlay']>[0],
  task: LoadedExercise,
): string | null {
  const own = new Map(task.template.map(({ path }) => [path.toLowerCase(), path]))
  for (const { path } of files) {
    if (isSteering(path)) return `${path}, which steers how work is built and tested`
    const taken = own.get(path.toLowerCase())
    if (taken !== undefined)
      return `${taken} of ${task.task.taskId}, which is ${roleOf(taken, task)}`
    const inside = [...own].find(([known]) => isBelow(known, path) || isBelow(path, known))
    if (inside) return `${path} where ${task.task.taskId} has ${inside[1]}`
  }
  return null
}

function roleOf(path: string, { task: { files } }: LoadedExercise): string {
  if (files.test.includes(path)) return 'a test'
  return files.solution.includes(path) ? 'a solution file' : 'a file of the task'
}

function isBelow(path: string, folder: string): boolean {
  return path.toLowerCase().startsWith(`${folder.toLowerCase()}/`)
}
