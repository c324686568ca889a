import type { LaunchField, LaunchProblem } from '#lib/domain/launch/launch-fields.ts'

/** Options of the runner's command line, and the field that each was typed into. */
const OPTION_FIELDS: readonly (readonly [string, LaunchField])[] = [
  ['--spend-cap', 'cap'],
  ['--max-steps', 'steps'],
  ['--max-tokens', 'tokens'],
  ['--max-cost', 'cost'],
  ['--temperature', 'temperature'],
  ['--isolation', 'isolation'],
  ['--browser', 'browser'],
  ['--timeout', 'timeout'],
  ['--repetitions', 'repetitions'],
  ['--fault', 'fault'],
  ['--tasks', 'tasks'],
  ['unknown task', 'tasks'],
  ['unknown provider', 'provider'],
  ['--model', 'model'],
  ['--provider', 'provider'],
  ['suite', 'suite'],
]

const MOST_WORDS = 500

/** Assigns the message of the runner to the field that it is most likely about, by default the subject. */
export function placeRefusal(lastWords: string): LaunchProblem {
  const message =
    lastWords.slice(0, MOST_WORDS) || 'The runner refused this request without a reason.'
  // A sentence about the subject may name an option as the way out: who refuses comes first.
  if (/^(unknown subject|subject "|\S+ (is not installed|needs |does not say))/.test(message))
    return { path: 'subject', message }
  const named = OPTION_FIELDS.find(([words]) => message.includes(words))
  return { path: named?.[1] ?? 'subject', message }
}
