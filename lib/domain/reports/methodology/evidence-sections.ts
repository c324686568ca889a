import { evidenceLabelSchema } from '../../eligibility/index.ts'
import { type LedgerKind, ledgerActionSchema } from '../../ledger/index.ts'
import {
  failureCategorySchema,
  isScored,
  OUTCOME_STATUSES,
  type OutcomeStatus,
  outcomeSchema,
  PROVENANCE_LEVELS,
} from '../../record/index.ts'
import type { Thresholds } from '../../tasks/index.ts'
import type { MethodologyInput } from './methodology-constants.ts'
import {
  formula,
  type MethodologySection,
  paragraph,
  percentText,
  terms,
} from './methodology-constants.ts'

/** What is measured. */
export function measuredSection({ constants }: MethodologyInput): MethodologySection {
  const { list, nearShare } = constants.settings
  const separates = {
    exact: 'Another value is another entry.',
    near: `Values that differ by more than ${percentText(nearShare)} are different entries.`,
    none: 'Any value may share an entry.',
  }
  return {
    id: 'measured',
    title: 'What is measured',
    blocks: [
      paragraph(
        'An agent, library or control works on a fresh copy of a task and is judged by the task’s success criteria: type ' +
          'checks, tests and held-out behaviour of an exercise, or the final state of a browser workflow. One attempt is one ' +
          'episode. An entry contains all counted episodes of one version of an agent or library with one set of settings on ' +
          'one version of a suite.',
      ),
      terms(
        'setting',
        list.map(({ key, name, sameRow }) => {
          return { key, term: name, text: separates[sameRow ?? 'none'] }
        }),
      ),
      paragraph(
        'The number on the board is the mean success rate over the tasks of the suite. Repetitions are averaged per task ' +
          'first, so every task has the same weight and the task is the unit of uncertainty.',
      ),
      formula('rate = (m_{1} + … + m_{T}) / T,   m_{i} = solved_{i} / scored_{i}'),
      paragraph(
        'Exit codes are recorded and never scored. Speed, tokens and cost are success-weighted or marked diagnostic: a ' +
          'fast failure is not a success.',
      ),
    ],
  }
}

/** Outcomes of an episode and how they are scored. */
export function outcomesSection({ words }: MethodologyInput): MethodologySection {
  return {
    id: 'outcomes',
    title: 'Outcomes and attribution',
    blocks: [
      paragraph(
        'The first component to determine an outcome sets it. Only solved counts as success. An agent that ends by itself when ' +
          'a budget stops its conversation is judged by its workspace as it stands: if that meets the criteria, it is solved, ' +
          'and the episode names the budget.',
      ),
      terms(
        'outcome',
        OUTCOME_STATUSES.map((status) => ({
          key: status,
          term: words.outcomes[status].word,
          text: meaningOf(status, words),
          mark: counts(status),
        })),
      ),
      paragraph(
        `Episodes that are not solved have a failure category: ${failureCategorySchema.options.join(', ')}.`,
      ),
    ],
  }
}

function counts(status: OutcomeStatus): string {
  if (status === 'solved') return 'a success'
  return isScored(status) ? 'a failure' : 'excluded from scoring'
}

/** The possible causes of an outcome if it has a closed list, otherwise its description. */
function meaningOf(status: OutcomeStatus, words: MethodologyInput['words']): string {
  for (const { shape } of outcomeSchema.options) {
    if (shape.status.value !== status) continue
    if ('budget' in shape) return `A limit was reached: ${shape.budget.options.join(', ')}.`
    if ('fault' in shape) return `One of these failed: ${shape.fault.options.join(', ')}.`
  }
  return words.outcomes[status].meaning
}

/** The evidence rules with their requirements under the policy. */
export function eligibilitySection({
  constants: { policy, rules },
}: MethodologyInput): MethodologySection {
  return {
    id: 'gate',
    title: 'Evidence rules',
    blocks: [
      paragraph(
        'An entry is ranked only if it meets every rule; an unranked entry shows which rules it does not meet, why, and how ' +
          'to fix it. Rules marked seed were laid down before the board was built: they may be made stricter, never weaker. ' +
          `This is policy version ${policy.version}; every plan and board records its policy version.`,
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
  aggregateEpisodes: 'Minimum scored episodes for an aggregate',
  perTaskEpisodes: 'Minimum scored episodes for a claim or chart about one task',
  voidShare: 'Maximum share of excluded episodes',
}

/** The policy's thresholds and those of stricter suites. */
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
      paragraph(
        stricter.length > 0
          ? 'A suite’s own threshold applies to its board if it is stricter.'
          : 'A suite can set stricter thresholds; none of the suites on this server does.',
      ),
    ],
  }
}

function show(name: keyof Thresholds, value: number): string {
  return name === 'voidShare' ? percentText(value) : String(value)
}

/** The evidence labels. */
export function labelsSection({ words }: MethodologyInput): MethodologySection {
  return {
    id: 'labels',
    title: 'Evidence labels',
    blocks: [
      paragraph(
        'Every entry has one label, determined in this order: a control or mock run is a control; an entry that only has ' +
          'too few samples is a smoke test; any other unmet rule makes it diagnostic. Only ranked and stress entries get a rank.',
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

/** Provenance of an episode. */
export function provenanceSection({ constants, words }: MethodologyInput): MethodologySection {
  const { weakestProvenance } = constants.policy
  return {
    id: 'provenance',
    title: 'Provenance',
    blocks: [
      paragraph(
        `The source of an episode, least trusted first. An entry shows its lowest level; ranking needs ${words.provenance[weakestProvenance].level} or above.`,
      ),
      terms(
        'provenance',
        PROVENANCE_LEVELS.map((name) => {
          const { level, word, meaning } = words.provenance[name]
          return { key: name, term: `${level} ${word}`, text: meaning }
        }),
      ),
      paragraph(
        `Stored solutions of episodes that did not run on this server, including uploads by administrators, are evaluated again here, only inside bubblewrap, with the server’s own copy of the suite’s tests and new held-out inputs. A different verdict has to be confirmed by a second evaluation. Verifier errors are retried up to ${constants.evaluationTries} times. Patches of repository tasks are judged again in a fresh copy; a task that needs docker, or tests with a network, are not, and the entry says so. Browser workflows are judged again by their stored final state and requests; criteria that only the page showed depend on the sender.`,
      ),
    ],
  }
}

const LEDGER_MEANINGS: Record<LedgerKind, string> = {
  include: 'A run counts on the board. A new entry after a removal includes it again.',
  register:
    'A frozen plan was received before its first episode. The sender has to upload all its runs.',
  'seal-run': 'The digest of the seals of all episodes of a finished run.',
  remove: 'A run no longer counts on the board. Its page remains.',
  invalidate:
    'A run or entry stays visible but is not ranked; an episode is excluded from scoring.',
  reinstate: 'Undoes an invalidation.',
  rescore: 'The result of an episode is replaced by the result of a regrade.',
  'resolve-findings': 'Findings of the tamper detectors were reviewed and are not cheating.',
  'task-version': 'A suite has new task versions. Earlier entries stay with their version.',
}

/** How published results are corrected. */
export function ledgerSection(): MethodologySection {
  return {
    id: 'ledger',
    title: 'Corrections',
    blocks: [
      paragraph(
        'Published results are never overwritten. A correction is an entry in the public ledger with author, time, reason ' +
          'and the hash of the previous entry; the latest entry about a target applies.',
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

/** The phases of an episode and the identity of tasks, suites, plans and episodes. */
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
          text: 'The agent or library runs within its limits until its entire process tree has ended.',
        },
        {
          key: 'restore',
          text: 'All files that are not part of the solution are restored; changed files are reported.',
        },
        {
          key: 'verify',
          text: 'The success criteria are evaluated separately from the agent, using only the solution files.',
        },
        { key: 'evidence', text: 'Logs, diff and solution are recorded with digest and size.' },
        {
          key: 'seal',
          text: 'The record is canonical JSON with a SHA-256 seal. Before this step the attempt does not exist.',
        },
      ]),
      paragraph('Everything behind a number has a digest, which changes with every byte:'),
      terms('identity', [
        { key: 'task', text: 'Digest of its files, limits and compiler settings.' },
        {
          key: 'suite',
          text: `Digest of its tasks and of the protocol version, now ${protocolVersion}, which defines what a pass means.`,
        },
        {
          key: 'plan',
          text: `Digest of tasks, subject, repetitions, settings and policy version, now ${policy.version}; frozen before the first episode.`,
        },
        {
          key: 'episode',
          text: `Digest of run, plan, task, subject, repetition and attempt. The record has schema version ${episodeSchemaVersion}; the same episode with different bytes is rejected.`,
        },
      ]),
    ],
  }
}
