import type { LedgerKind } from '#lib/domain/ledger/ledger-action.ts'

/** Each kind of entry in a word or two, and what it means in one sentence. */
export const LEDGER_WORDS: Record<LedgerKind, { word: string; meaning: string }> = {
  include: { word: 'Run included', meaning: 'The run counts on the board from here on.' },
  register: {
    word: 'Plan registered',
    meaning: 'The plan was known here before its first episode; its runs are owed.',
  },
  'seal-run': {
    word: 'Run sealed',
    meaning: 'What the run held when it ended, under one digest: no episode can go unseen.',
  },
  remove: { word: 'Run removed', meaning: 'The run does not count; its page stays.' },
  invalidate: {
    word: 'Invalidated',
    meaning: 'A run or row is no claim any more; an episode counts as void.',
  },
  reinstate: { word: 'Reinstated', meaning: 'An invalidation is taken back.' },
  rescore: {
    word: 'Rescored',
    meaning: 'An episode’s verdict is what its contract said when it was evaluated again.',
  },
  'resolve-findings': {
    word: 'Findings resolved',
    meaning: 'What the tamper detectors found was looked at and is no cheating.',
  },
  'task-version': {
    word: 'Suite version',
    meaning: 'The suite is new or has a new version; earlier rows stay with the one they ran.',
  },
}
