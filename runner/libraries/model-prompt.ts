import { type Digest, digestBytes } from '#lib/domain/digest.ts'

/** Raise it whenever a word of the frame changes: it is part of what was asked. */
export const MODEL_PROMPT_VERSION = 1

type Told = { instruction: string; origin: string; start: string; files: readonly string[] }

/** What a model is told that drives a browser by tools: the task as a user would say it, in a short fixed frame. */
export function buildModelPrompt(told: Told): { text: string; version: number; digest: Digest } {
  const { instruction, origin, start, files } = told
  const lines = [
    'You work in a web browser by the tools that you are given. It has one tab, which is empty.',
    `The web app is at ${origin}${start}.`,
    'Nobody can answer questions. Work until the task is done, then say so in one sentence and call no more tools.',
    ...files.map((path) => `A file at hand: ${path}`),
    '',
    '# Task',
    instruction.replaceAll('{{origin}}', origin),
  ]
  const text = lines.join('\n')
  return { text, version: MODEL_PROMPT_VERSION, digest: digestBytes(text) }
}
