import type { OutcomeStatus } from '#lib/domain/outcome.ts'

export type OutcomeTone = 'good' | 'bad' | 'neutral'
export type OutcomeWords = { letter: string; word: string; tone: OutcomeTone; meaning: string }

/** One letter, one word and one sentence for each way an episode can end. */
export const OUTCOME_WORDS: Record<OutcomeStatus, OutcomeWords> = {
  solved: { letter: 'S', word: 'solved', tone: 'good', meaning: 'The final contract passed.' },
  unsolved: { letter: 'U', word: 'unsolved', tone: 'bad', meaning: 'The final contract failed.' },
  'out-of-budget': {
    letter: 'B',
    word: 'out of budget',
    tone: 'bad',
    meaning: 'The subject spent its time, steps, tokens, cost, disk or processes.',
  },
  'subject-crashed': {
    letter: 'C',
    word: 'crashed',
    tone: 'bad',
    meaning: 'The subject ended on an error or a signal.',
  },
  tampered: {
    letter: 'T',
    word: 'tampered',
    tone: 'bad',
    meaning: 'A detector saw what no honest solution does.',
  },
  void: {
    letter: 'V',
    word: 'void',
    tone: 'neutral',
    meaning: 'Broken by harness, infrastructure or provider; counts for nobody.',
  },
  cancelled: {
    letter: 'X',
    word: 'cancelled',
    tone: 'neutral',
    meaning: 'Stopped by a person; counts for nobody.',
  },
}

export const OUTCOME_ORDER = Object.keys(OUTCOME_WORDS) as OutcomeStatus[]
