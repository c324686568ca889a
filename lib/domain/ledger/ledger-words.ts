import type { LedgerKind } from './ledger-entry.ts'

/** Name and description of each entry type. */
export const LEDGER_WORDS: Record<LedgerKind, { word: string; meaning: string }> = {
  include: { word: 'Run included', meaning: 'The run counts on the board from now on.' },
  register: {
    word: 'Plan registered',
    meaning: 'The plan was registered before its first episode. All its runs have to be uploaded.',
  },
  'seal-run': {
    word: 'Run sealed',
    meaning: 'The digest of all episodes of the finished run, which reveals a missing episode.',
  },
  remove: {
    word: 'Run removed',
    meaning: 'The run no longer counts on the board. Its page remains.',
  },
  invalidate: {
    word: 'Invalidated',
    meaning: 'A run or entry is no longer ranked; an episode is excluded from scoring.',
  },
  reinstate: { word: 'Reinstated', meaning: 'An invalidation is undone.' },
  rescore: {
    word: 'Rescored',
    meaning: 'The result of an episode is replaced by the result of a regrade.',
  },
  'resolve-findings': {
    word: 'Findings resolved',
    meaning: 'Findings of the tamper detectors were reviewed and are not cheating.',
  },
  'accept-library': {
    word: 'Library accepted',
    meaning:
      'A reviewer read the code of an entry’s own library, in the version and with the digests that it names.',
  },
  'task-version': {
    word: 'Suite version',
    meaning: 'The suite is new or has a new version. Earlier entries stay with their version.',
  },
}
