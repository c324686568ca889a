import { type Digest, digestBytes } from '#lib/domain/record/index.ts'
import type { Exercise } from '#lib/domain/tasks/index.ts'

/** Raise it whenever the prompt changes: it is part of what was asked. */
export const PROMPT_VERSION = 3

/** The parts of a task that go into the prompt. */
type Told = { task: Pick<Exercise, 'title' | 'files' | 'heldOut'>; instructions: string }

export type AgentPrompt = { text: string; version: number; digest: Digest }

/**
 * Base instruction, the exercise's own text, facts of the place; the text of the task is passed on untouched. What the
 * plan adds for all its episodes (`--custom-instruction`) stands last, what its arm puts in front stands first.
 */
export function buildPrompt(task: Told, customInstruction?: string, prefix?: string): AgentPrompt {
  const text = [
    ...(prefix === undefined ? [] : [prefix]),
    baseInstruction(task),
    '# Instructions',
    task.instructions,
    environmentFacts(task),
    ...(customInstruction === undefined ? [] : ['# Further instructions', customInstruction]),
  ].join('\n\n')
  return { text, version: PROMPT_VERSION, digest: digestBytes(text) }
}

// It starts with a letter, so that no command line takes the prompt for an option.
function baseInstruction({ task }: Told): string {
  return [
    `Solve the TypeScript exercise "${task.title}" in the current folder. Nobody can answer questions: work until you are done, then end.`,
    `Edit only: ${task.files.solution.join(', ')}.`,
  ].join('\n')
}

function environmentFacts({ task }: Told): string {
  // What is held back is not a trap: an agent that knows of it can work for it.
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
