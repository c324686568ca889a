import type { LoadedTask } from '../suites/task-folder.ts'

/** Raise it whenever a word of the prompt changes: it is part of what was asked. */
export const PROMPT_VERSION = 1

/** Base instruction, the exercise's own text, facts of the place; the text of the task is passed on untouched. */
export function buildPrompt({ task, instructions }: LoadedTask): string {
  const { solution, test } = task.files
  return [
    `Solve the TypeScript exercise "${task.title}" in the current folder.`,
    `Edit only: ${solution.join(', ')}. Do not change the tests (${test.join(', ')}) or any other file; they are replaced before your work is judged.`,
    'Your work is judged by the compiler (strict) and by the whole test file, skipped tests included.',
    '',
    '# Instructions',
    '',
    instructions,
  ].join('\n')
}
