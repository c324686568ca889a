import { type LedgerKind, ledgerActionSchema } from '../../ledger/ledger-action.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { type Section, terms, text } from '../methodology-section.ts'

const LEDGER_MEANINGS: Record<LedgerKind, string> = {
  include: 'A run counts on the board. Said again after a removal, it counts again.',
  register:
    'A frozen plan was received before its first episode: its runs are owed by whoever registered it.',
  'seal-run': 'What a run held when it ended: its episodes’ seals under one digest.',
  remove: 'A run does not count and has no row; its page stays.',
  invalidate: 'A run or a row stays visible and is no claim; an episode counts as void.',
  reinstate: 'Takes an invalidation back.',
  rescore: 'An episode’s ending is replaced by what its contract said when it was evaluated again.',
  'resolve-findings': 'Findings of the tamper detectors were looked at and are no cheating.',
  'task-version': 'A suite has new task versions; earlier rows stay with the version they ran.',
}

/** How something published is corrected. */
export function ledgerSection(): Section {
  return {
    id: 'ledger',
    title: 'Corrections',
    blocks: [
      text(
        'Nothing published is overwritten. A correction is an entry in the public ledger with its author, time and reason ' +
          'and the hash of the entry before; the last word on a target holds.',
      ),
      terms(
        'ledger',
        ledgerActionSchema.options.map(({ shape }) => {
          const kind = shape.kind.value
          return { key: kind, text: LEDGER_MEANINGS[kind] }
        }),
      ),
    ],
  }
}

/** From a task to a sealed episode, and what names each thing. */
export function episodeSection({ constants }: MethodologyInput): Section {
  const { episodeSchemaVersion, protocolVersion, policy } = constants
  return {
    id: 'episode',
    title: 'Episodes and identity',
    blocks: [
      terms('phase', [
        { key: 'prepare', text: 'A fresh copy of the task’s files, a fresh HOME.' },
        {
          key: 'subject',
          text: 'The subject acts under its limits, until its whole process tree is gone.',
        },
        {
          key: 'restore',
          text: 'Every file that is not part of the solution is put back; what was touched is reported.',
        },
        {
          key: 'verify',
          text: 'The contract is evaluated apart from the subject, on the solution files alone.',
        },
        { key: 'evidence', text: 'Logs, diff and solution are named by digest and size.' },
        {
          key: 'seal',
          text: 'Canonical JSON under a SHA-256 seal; before this the attempt does not exist.',
        },
      ]),
      text('Everything that a number rests on has a digest, and a changed byte is another thing:'),
      terms('identity', [
        { key: 'task', text: 'Digest of its files, limits and compiler settings.' },
        {
          key: 'suite',
          text: `Digest of its tasks and of the protocol version, now ${protocolVersion}, which says what a pass means.`,
        },
        {
          key: 'plan',
          text: `Digest of tasks, subject, repetitions, settings and policy version, now ${policy.version}; frozen before the first episode.`,
        },
        {
          key: 'episode',
          text: `Digest of run, plan, task, subject, repetition and attempt. Envelopes are of schema version ${episodeSchemaVersion}; the same episode with other bytes is refused.`,
        },
      ]),
    ],
  }
}
