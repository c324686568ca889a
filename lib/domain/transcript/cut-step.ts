import { cutText } from '../text/index.ts'
import type { TranscriptStep } from './transcript.ts'

/** Cuts each text of a step to `chars` characters and adds the rest to its `cutChars`. */
export function cutStep(step: TranscriptStep, chars: number): TranscriptStep {
  let left = 0
  const cut = (text: string): string => {
    const shown = cutText(text, chars)
    left += text.length - shown.length
    return shown
  }
  const { text, reasoning, toolCalls, toolResult } = step
  const shown = {
    text: text === null ? null : cut(text),
    reasoning: reasoning === null ? null : cut(reasoning),
    toolCalls: toolCalls.map((call) => ({ ...call, arguments: cut(call.arguments) })),
    toolResult: toolResult && { ...toolResult, text: cut(toolResult.text) },
  }
  return { ...step, ...shown, cutChars: step.cutChars + left }
}

/** All texts of a step, joined. */
export function wordsOf({ text, reasoning, toolCalls, toolResult }: TranscriptStep): string {
  const calls = toolCalls.flatMap(({ name, arguments: given }) => [name, given])
  return [text, reasoning, ...calls, toolResult?.text].filter(Boolean).join('\n')
}
