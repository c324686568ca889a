/** The usage of a call in Chat Completions' format. */
export const usageOf = (input: number, output: number, more: object = {}) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  ...more,
})
export const PLAIN = usageOf(1000, 100)

/** A response in one piece; null = without usage. */
export function body(usage: object | null, more: object = {}) {
  const message = { role: 'assistant', content: 'Done.' }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { body: { id: 'c1', object: 'chat.completion', choices, usage, ...more } }
}

/** One event of a stream. */
export const chunk = (more: object, finish: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: finish }],
  ...more,
})
export const DONE = 'data: [DONE]\n\n'
/** A stream like OpenAI's: the usage is in a last chunk without choices. */
export const stream = (usage: object, more: object = {}) => ({
  events: [
    chunk({ usage: null }),
    chunk({ usage: null }, 'stop'),
    { id: 'c1', choices: [], usage, ...more },
    DONE,
  ],
})
