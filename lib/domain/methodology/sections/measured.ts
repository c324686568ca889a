import { failureCategorySchema } from '../../failure-category.ts'
import { isScored, OUTCOME_STATUSES, type OutcomeStatus, outcomeSchema } from '../../outcome.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { formula, type Section, terms, text } from '../methodology-section.ts'

/** What is measured. */
export function measuredSection(): Section {
  return {
    id: 'measured',
    title: 'What is measured',
    blocks: [
      text(
        'A subject (an agent, a library or a control) is given a task, works in a fresh copy of it, and is judged by the ' +
          'task’s own contract: type checks, tests and held-out behaviour of an exercise, or the final state of a workflow. One attempt ' +
          'is one episode. A row holds all counted episodes of one subject version under one set of settings on one ' +
          'version of a suite.',
      ),
      text(
        'The number on the board is the mean success over the tasks that the suite samples. A task’s repetitions are ' +
          'averaged first, then the tasks: every task weighs the same, and doubt is counted over tasks.',
      ),
      formula('rate = (m_{1} + … + m_{T}) / T,   m_{i} = solved_{i} / scored_{i}'),
      text(
        'Exit codes are recorded and never scored. Speed, tokens and cost are weighed by success or marked diagnostic: a ' +
          'fast failure is no success.',
      ),
    ],
  }
}

/** How an episode can end, and for whom it counts. */
export function outcomesSection({ words }: MethodologyInput): Section {
  return {
    id: 'outcomes',
    title: 'Outcomes and whose fault they are',
    blocks: [
      text('An outcome is set once, by whoever knew first. Only solved counts as success.'),
      terms(
        'outcome',
        OUTCOME_STATUSES.map((status) => ({
          key: status,
          term: words.outcomes[status].word,
          text: meaningOf(status, words),
          mark: counts(status),
        })),
      ),
      text(
        `Why an episode was not solved is told by a failure category: ${failureCategorySchema.options.join(', ')}.`,
      ),
    ],
  }
}

function counts(status: OutcomeStatus): string {
  if (status === 'solved') return 'a success'
  return isScored(status) ? 'a failure of the subject' : 'counts for nobody'
}

/** The closed list that goes with an outcome, where it has one; else the words of the pages. */
function meaningOf(status: OutcomeStatus, words: MethodologyInput['words']): string {
  for (const { shape } of outcomeSchema.options) {
    if (shape.status.value !== status) continue
    if ('budget' in shape) return `A limit was reached: ${shape.budget.options.join(', ')}.`
    if ('fault' in shape) return `Something else broke: ${shape.fault.options.join(', ')}.`
  }
  return words.outcomes[status].meaning
}
