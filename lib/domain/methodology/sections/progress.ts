import type { NoProgressSignal } from '../../no-progress.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { type Section, terms, text } from '../methodology-section.ts'

/** Signals that an agent did not get on. */
export function progressSection({ constants: { noProgress } }: MethodologyInput): Section {
  const { failingCalls, identicalCalls, unchangedSteps } = noProgress
  const meanings: Record<NoProgressSignal, string> = {
    'failing-calls': `At least ${failingCalls} tool calls in a row failed.`,
    'identical-calls': `The same tool was called with the same arguments and succeeded, at least ${identicalCalls} times in a row.`,
    'unchanged-workspace': `At least ${unchangedSteps} steps in a row changed no path, size or time of a file in the workspace.`,
  }
  return {
    id: 'no-progress',
    title: 'No progress',
    blocks: [
      text(
        'For an agent behind the gateway an episode tells how often it did not get on. A streak counts once, however long ' +
          'it is. The signals are diagnostic and never scored.',
      ),
      terms(
        'no-progress',
        Object.entries(meanings).map(([key, meaning]) => ({ key, text: meaning })),
      ),
      text(
        'Whether a call failed is what the agent tells its model: Anthropic’s is_error, an error in Gemini’s function ' +
          'response, a failed status or an exit code in OpenAI Responses. Chat Completions has no word for it, nor has a plain ' +
          'function output in Responses; there the outcome is unknown. What is unknown neither breaks a streak nor makes it longer. ' +
          'In the workspace, what the agent’s own program leaves, .git and node_modules are passed over, and a workspace of ' +
          'too many files is unknown.',
      ),
    ],
  }
}
