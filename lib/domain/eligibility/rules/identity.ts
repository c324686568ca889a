import {
  BASELINE_ARM,
  EMPTY_ARM_DIGEST,
  type EpisodeFact,
  isBaselineName,
} from '../../record/index.ts'
import { listKinds } from '../../tasks/index.ts'
import { countOf, listNames } from '../../text/index.ts'
import { type KnownPrograms, RELEASED_PROGRAMS } from '../released-programs.ts'
import { evidenceRule, type RuleFailure } from '../rule.ts'
import { IDENTITY_FIELDS, isShipped } from '../shipped-subjects.ts'
import { findHidden } from '../skeleton.ts'

/** An entry must not look like another one. */
export const identityRule = evidenceRule({
  code: 'identity',
  fromSeed: false,
  demand: () =>
    'Name, version, provider and model contain no invisible or confusable characters and do not look like another entry of the board. The name of a built-in agent, library or control refers to its built-in definition, and an arm named baseline is empty.',
  check: ({ facts, context }) => {
    const [fact] = facts
    if (!fact) return null
    for (const [field, words] of IDENTITY_FIELDS) {
      const hidden = findHidden(fact.subject[field] ?? '')
      if (hidden)
        return {
          reason: `The ${words} ${hidden}.`,
          remedy: `Write the ${words} in plain characters and rerun.`,
        }
    }
    if (isBaselineName(fact.subject.arm ?? '') && fact.subject.armDigest !== EMPTY_ARM_DIGEST)
      return fullBaseline
    if (!context.imitation) return null
    return {
      reason: context.imitation,
      remedy: 'Rerun with a name and model id that are clearly different.',
    }
  },
})

const fullBaseline: RuleFailure = {
  reason: `The arm named ${BASELINE_ARM} is not empty, so other arms cannot be compared with it.`,
  remedy: `Rename the arm and run it next to an empty ${BASELINE_ARM}.`,
}

/** The rules depend on the kind of entry, so the kind must be one that the suite measures. */
export const subjectKindRule = evidenceRule({
  code: 'subject-kind',
  fromSeed: false,
  isByKind: true,
  demand: () =>
    'The suite measures this kind of entry: agents on exercises, libraries on browser suites. Controls are never ranked.',
  check: ({ facts, context: { subjectKinds: taken, policy } }) => {
    // Declared controls are refused by the mode rule.
    const controls = facts.filter(
      ({ subject, mode }) => subject.kind === 'control' && policy.claimModes.includes(mode),
    )
    if (controls.length > 0)
      return {
        reason: `${controls.length} of ${countOf(facts.length, 'episode belongs', 'episodes belong')} to a control, which tests the harness and is not held to the rules for agents.`,
        remedy: 'Run it as an agent, under the rules for agents.',
      }
    if (taken === undefined) return null
    const other = facts.filter(({ subject }) => !taken.includes(subject.kind))
    const [first] = other
    if (!first) return null
    return {
      reason: `${other.length} of ${countOf(facts.length, 'episode has', 'episodes have')} kind ${first.subject.kind}, but this suite measures only ${listKinds(taken)}.`,
      remedy: `Run it as ${taken[0]}, under the rules for that kind.`,
    }
  },
})

/** A fork can change the verdicts, so external results must come from known versions of harness and verifier. */
export const harnessRule = evidenceRule({
  code: 'harness',
  fromSeed: false,
  isByKind: true,
  demand: () =>
    'External results come from a released version of the harness and a released verifier, or from the versions on this server; external libraries come with Proofboard.',
  check: ({ facts, context: { knownPrograms = RELEASED_PROGRAMS } }) => {
    const sent = facts.filter(({ provenance }) => provenance !== 'local')
    const foreign = sent.find(({ subject }) => subject.kind === 'library' && !isShipped(subject))
    if (foreign)
      return {
        reason: `The library ${foreign.subject.name} does not come with Proofboard, so which code ran elsewhere is its sender's word.`,
        remedy: 'Run it on this server, or use a built-in library.',
      }
    const odd = sent.flatMap((fact) => findUnknown(fact, knownPrograms) ?? [])
    if (odd.length === 0) return null
    return {
      reason: `${odd.length} of ${countOf(facts.length, 'episode comes', 'episodes come')} from an unknown harness or verifier: ${listNames(odd)}.`,
      remedy: 'Rerun with an unmodified release of Proofboard, or on this server.',
    }
  },
})

function findUnknown(
  { provenance, origin, grading }: EpisodeFact,
  { versions, verifiers }: KnownPrograms,
): string | null {
  if (provenance === 'local' || origin === undefined) return null
  if (!versions.has(origin.harness.version)) return `harness ${origin.harness.version}`
  if (!grading) return null
  if (grading.verifier === null) return 'a verifier without a digest'
  const { digest } = grading.verifier
  return verifiers.has(digest) ? null : `verifier ${digest.slice(0, 'sha256:'.length + 12)}`
}

/** Counted episodes are independent samples: no envelope is counted twice, and no recording is replayed. */
export const independentRule = evidenceRule({
  code: 'independent',
  fromSeed: false,
  demand: () =>
    'No two counted episodes share an episode id or a recording, and none is a copy of an earlier run or of another attempt.',
  check: ({ facts, context }) => {
    const { copies = NO_COPIES } = context
    const copied = new Set(
      copies.size === 0 ? [] : facts.flatMap(({ episodeId }) => copies.get(episodeId) ?? []),
    )
    if (copied.size > 0) return copyComplaint(facts, copies, copied)

    const twice = countRepeated(facts.map(({ episodeId }) => episodeId))
    const recorded = facts.filter(({ recordingDigest }) => recordingDigest)
    const replayed = countRepeated(recorded.map(({ recordingDigest }) => recordingDigest))
    if (twice + replayed === 0) return null
    const parts = [
      ...(twice > 0 ? [`${countOf(twice, 'episode')} counted twice`] : []),
      ...(replayed > 0
        ? [`${countOf(replayed, 'episode')} replayed from a recording that is already counted`]
        : []),
    ]
    return {
      reason: `The samples are not independent: ${parts.join(' and ')}.`,
      remedy: 'Run or record a new episode for each repetition.',
    }
  },
})

const NO_COPIES: Copies = new Map()
type Copies = ReadonlyMap<string, string>

function copyComplaint(
  facts: readonly EpisodeFact[],
  copies: Copies,
  runs: ReadonlySet<string>,
): RuleFailure {
  const copied = facts.filter(({ episodeId }) => copies.has(episodeId))
  const count = copied.length
  if (copied.every(({ episodeId, runId }) => copies.get(episodeId) === runId))
    return {
      reason: `${count} of ${countOf(facts.length, 'episode is', 'episodes are')} copies of another attempt of the same run: identical usage and duration.`,
      remedy: 'Run the plan again: each attempt counts once, under any repetition number.',
    }
  return {
    reason: `${count} of ${countOf(facts.length, 'episode is', 'episodes are')} copies of ${listNames(runs)}, which was received first: identical timestamps, usage or evidence.`,
    remedy: 'Run the plan again: each attempt counts once, under any run id.',
  }
}

function countRepeated(keys: readonly unknown[]): number {
  return keys.length - new Set(keys).size
}
