import { evidenceLabelSchema } from '../../eligibility/eligibility.ts'
import { type LedgerKind, ledgerActionSchema } from '../../ledger/ledger-entry.ts'
import { PROVENANCE_LEVELS } from '../../record/episode-fact.ts'
import {
  failureCategorySchema,
  isScored,
  OUTCOME_STATUSES,
  type OutcomeStatus,
  outcomeSchema,
} from '../../record/outcome.ts'
import type { Thresholds } from '../../tasks/suite.ts'
import type { MethodologyInput } from './methodology-constants.ts'
import {
  formula,
  type MethodologySection,
  percentText,
  terms,
  text,
} from './methodology-constants.ts'

/** What is measured. */
export function measuredSection(): MethodologySection {
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
export function outcomesSection({ words }: MethodologyInput): MethodologySection {
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

/** The headline gate: every rule with its demand under the policy. */
export function gateSection({
  constants: { policy, rules },
}: MethodologyInput): MethodologySection {
  return {
    id: 'gate',
    title: 'The headline gate',
    blocks: [
      text(
        'A row is a claim only when every rule is met; a refused row says which rule, why, and what would mend it. ' +
          'Rules marked seed were laid down before this board was built: they may be made stricter, never weaker. ' +
          `This is policy version ${policy.version}; every plan and board names the version it was made under.`,
      ),
      terms(
        'gate',
        rules.map(({ code, fromSeed, demand }) => ({
          key: code,
          text: demand(policy),
          mark: fromSeed ? 'seed' : null,
        })),
      ),
    ],
  }
}

const THRESHOLD_WORDS: Record<keyof Thresholds, string> = {
  aggregateEpisodes: 'Scored episodes for an aggregate, at least',
  perTaskEpisodes: 'Scored episodes for a claim or chart about one task, at least',
  voidShare: 'Share of void episodes, at most',
}

/** The policy's thresholds, and those of suites that ask for more. */
export function thresholdsSection({ constants, suites }: MethodologyInput): MethodologySection {
  const { thresholds } = constants.policy
  const names = Object.keys(THRESHOLD_WORDS) as (keyof Thresholds)[]
  const stricter = suites.filter((suite) =>
    names.some((name) => suite.thresholds[name] !== thresholds[name]),
  )
  return {
    id: 'thresholds',
    title: 'Thresholds',
    blocks: [
      {
        kind: 'table',
        caption: 'Thresholds of the policy and of stricter suites',
        head: ['Threshold', 'Policy', ...stricter.map(({ title }) => title)],
        rows: names.map((name) => [
          THRESHOLD_WORDS[name],
          ...[{ thresholds }, ...stricter].map((one) => show(name, one.thresholds[name])),
        ]),
      },
      text(
        stricter.length > 0
          ? 'A suite’s own threshold holds on its board where it is stricter, and only there.'
          : 'A suite may set stricter thresholds of its own; none of the suites here does.',
      ),
    ],
  }
}

function show(name: keyof Thresholds, value: number): string {
  return name === 'voidShare' ? percentText(value) : String(value)
}

/** The labels a row can carry. */
export function labelsSection({ words }: MethodologyInput): MethodologySection {
  return {
    id: 'labels',
    title: 'Labels',
    blocks: [
      text(
        'The gate gives every row one label. Rules decide it in this order: a refused mode makes a row scaffold; too few ' +
          'samples and nothing else make it smoke; any other refusal makes it diagnostic. Only claims are ranked.',
      ),
      terms(
        'label',
        evidenceLabelSchema.options.map((label) => ({
          key: label,
          term: words.labels[label].word,
          text: words.labels[label].meaning,
        })),
      ),
    ],
  }
}

/** Who vouches for an episode. */
export function provenanceSection({ constants, words }: MethodologyInput): MethodologySection {
  const { weakestProvenance } = constants.policy
  return {
    id: 'provenance',
    title: 'Provenance',
    blocks: [
      text(
        `Who vouches for an episode, weakest first. A row shows its weakest; a claim needs ${words.provenance[weakestProvenance].level} or above.`,
      ),
      terms(
        'provenance',
        PROVENANCE_LEVELS.map((name) => {
          const { level, word, meaning } = words.provenance[name]
          return { key: name, term: `${level} ${word}`, text: meaning }
        }),
      ),
      text(
        `Stored solutions of episodes that did not run here, uploads by administrators included, are evaluated again by this server, inside bubblewrap and nowhere else, by its own copy of the suite’s tests with new held-out inputs. Another verdict has to come true twice. Trouble of the verifier itself is tried ${constants.evaluationTries} times. A browser workflow cannot be evaluated again and rests on its sender.`,
      ),
    ],
  }
}

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
export function ledgerSection(): MethodologySection {
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
export function episodeSection({ constants }: MethodologyInput): MethodologySection {
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
