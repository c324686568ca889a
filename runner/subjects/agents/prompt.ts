import { type Digest, digestBytes } from '#lib/domain/record/index.ts'
import type { Exercise, HarborTask, RepositoryTask } from '#lib/domain/tasks/index.ts'

/** Increment when the prompt changes: it is part of the agent's input. */
export const PROMPT_VERSION = 3

/** The parts of a task that go into the prompt. */
type PromptedExercise = {
  task: Pick<Exercise, 'title' | 'files' | 'heldOut'>
  instructions: string
}
type PromptedRepository = {
  task: Pick<RepositoryTask, 'kind' | 'title' | 'instruction' | 'change' | 'network'>
}
type PromptedHarbor = { task: Pick<HarborTask, 'kind' | 'instruction'> }
type PromptedTask = PromptedExercise | PromptedRepository | PromptedHarbor

export type AgentPrompt = { text: string; version: number; digest: Digest }

const isHarbor = (prompted: PromptedTask): prompted is PromptedHarbor =>
  'kind' in prompted.task && prompted.task.kind === 'harbor'
const isRepository = (prompted: PromptedTask): prompted is PromptedRepository =>
  'kind' in prompted.task && prompted.task.kind === 'repository'

/**
 * Builds the prompt: base instruction, the task's own text, facts about the environment; the text of the task is passed
 * on unchanged. The arm's prefix comes first, the plan's addition (`--custom-instruction`) last.
 */
export function buildPrompt(
  task: PromptedTask,
  customInstruction?: string,
  prefix?: string,
): AgentPrompt {
  const text = [
    ...(prefix === undefined ? [] : [prefix]),
    ...partsOf(task),
    ...(customInstruction === undefined ? [] : ['# Further instructions', customInstruction]),
  ].join('\n\n')
  return { text, version: PROMPT_VERSION, digest: digestBytes(text) }
}

function partsOf(task: PromptedTask): string[] {
  if (isHarbor(task)) return [HARBOR_BASE, '# Instructions', task.task.instruction]
  const [base, instructions, facts] = isRepository(task)
    ? [repositoryBase(task), task.task.instruction, repositoryFacts(task)]
    : [baseInstruction(task), task.instructions, environmentFacts(task)]
  return [base, '# Instructions', instructions, facts]
}

const HARBOR_BASE =
  'Work on the task below in the current folder. Nobody can answer questions: work until you are done, then end.'

// It starts with a letter, so that no command line takes the prompt for an option.
function baseInstruction({ task }: PromptedExercise): string {
  return [
    `Solve the TypeScript exercise "${task.title}" in the current folder. Nobody can answer questions: work until you are done, then end.`,
    `Edit only: ${task.files.solution.join(', ')}.`,
  ].join('\n')
}

function environmentFacts({ task }: PromptedExercise): string {
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

function repositoryBase({ task: { title, change } }: PromptedRepository): string {
  const isFree = change.allow.length === 1 && change.allow[0] === '**'
  return [
    `Work on the repository in the current folder: "${title}". Nobody can answer questions: work until you are done, then end.`,
    ...(isFree ? [] : [`Change only: ${change.allow.join(', ')}.`]),
  ].join('\n')
}

function repositoryFacts({ task: { change, network } }: PromptedRepository): string {
  const { protect } = change
  const reaches = network !== 'off' && network.for.includes('agent')
  return [
    '# Environment',
    '',
    '- Your work is taken as a patch of this folder, applied to a fresh copy, and judged by tests that are not here.',
    `- Do not change or add configuration of the test runner${protect.length > 0 ? `, or any of: ${protect.join(', ')}` : ''}; it is put back before your work is judged.`,
    reaches
      ? `- The network can be used: ${network.reason}`
      : '- Do not use the network and install nothing.',
  ].join('\n')
}
