import { type Digest, digestBytes } from '#lib/domain/digest/index.ts'

/** Increment when the frame changes: it is part of the prompt. */
export const MODEL_PROMPT_VERSION = 1

type PromptParts = {
  instruction: string
  origin: string
  start: string
  files: readonly string[]
  hasOwnLoop: boolean
}

/**
 * Builds the prompt of a model that drives a browser by tools: the task as a user would state it, in a short fixed
 * frame.
 */
export function buildModelPrompt(parts: PromptParts): {
  text: string
  version: number
  digest: Digest
} {
  const { instruction, origin, start, files, hasOwnLoop } = parts
  const frame = hasOwnLoop
    ? [
        `The web app at ${origin}${start} is open.`,
        'Nobody can answer questions. Work until the task is done, then end.',
      ]
    : [
        'You work in a web browser by the tools that you are given. It has one tab, which is empty.',
        `The web app is at ${origin}${start}.`,
        'Nobody can answer questions. Work until the task is done, then say so in one sentence and call no more tools.',
      ]
  const lines = [
    ...frame,
    ...files.map((path) => `A file at hand: ${path}`),
    '',
    '# Task',
    instruction.replaceAll('{{origin}}', origin),
  ]
  const text = lines.join('\n')
  return { text, version: MODEL_PROMPT_VERSION, digest: digestBytes(text) }
}
