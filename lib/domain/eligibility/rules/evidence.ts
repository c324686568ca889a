import {
  type EpisodeFact,
  isScored,
  PROVENANCE_LEVELS,
  type Provenance,
} from '../../record/index.ts'
import { countOf, listNames, pluralForm } from '../../text/index.ts'
import { needsEvaluation, outsideOf } from '../evaluations.ts'
import { evidenceRule } from '../rule.ts'

/** Fixed: only live and recorded-real measurements can be ranked. */
export const modeRule = evidenceRule({
  code: 'mode',
  fromSeed: true,
  isByKind: true,
  demand: ({ claimModes }) => `Every counted episode is ${claimModes.join(' or ')}.`,
  check: ({ facts, context }) => {
    const others = facts.filter(({ mode }) => !context.policy.claimModes.includes(mode))
    if (others.length === 0) return null
    const modes = listNames(others.map((fact) => fact.mode))
    const of =
      others.length === facts.length
        ? pluralForm(facts.length, 'The counted episode', `All ${facts.length} counted episodes`)
        : `${others.length} of ${countOf(facts.length, 'counted episode')}`
    if (others.every((fact) => fact.subject.kind === 'control')) {
      return {
        reason: 'This is a control run; it tests the harness.',
        remedy: 'Controls are never ranked. Run an agent or a library instead.',
      }
    }
    if (others.every((fact) => fact.mode === 'reported')) {
      return {
        reason: `${of} ${pluralForm(others.length, 'was', 'were')} reported by another program, which does not state the mode of the measurement.`,
        remedy: 'Run the agent or library with Proofboard and upload the results.',
      }
    }
    return {
      reason: `${of} ${pluralForm(others.length, 'is', 'are')} ${modes}, not live or recorded-real.`,
      remedy: `Rerun ${countOf(others.length, 'episode')} in live or recorded-real mode.`,
    }
  },
})

/** The mode of an external model-driven episode needs its call log or recording, and its figures need the log. */
export const modeEvidenceRule = evidenceRule({
  code: 'mode-evidence',
  fromSeed: false,
  demand: () =>
    'External model-driven episodes include the gateway’s call log (live) or the recording (recorded-real), and models, tokens, cost and times are those of the log.',
  check: ({ facts, kinds, context: { evaluations } }) => {
    if (evaluations === null || !kinds.some(needsEvaluation)) return null
    const bare = outsideOf(facts).filter(
      ({ episodeId }) => evaluations.get(episodeId)?.isModelSeen === false,
    )
    if (bare.length === 0) return null
    const modes = listNames(bare.map(({ mode }) => mode))
    return {
      reason: `${countOf(bare.length, 'episode')} with mode ${modes} lack the gateway’s call log or the recording, or state other figures than the log (tasks: ${listNames(bare.map(({ taskId }) => taskId))}).`,
      remedy:
        'Upload the complete run folder as it was sealed: calls.ndjson for live, recording.json for recorded-real.',
    }
  },
})

/** Fixed: only the success criteria decide the verdict. */
export const postconditionRule = evidenceRule({
  code: 'postcondition',
  fromSeed: true,
  isByKind: true,
  demand: () =>
    'The success criteria of every scored episode were evaluated with a conclusive verdict.',
  check: ({ facts }) => {
    const wanting = facts.filter((fact) => isScored(fact.status) && !isJudged(fact))
    if (wanting.length === 0) return null
    const where = listNames(wanting.map((fact) => fact.taskId))
    return {
      reason: `${countOf(wanting.length, 'scored episode has', 'scored episodes have')} no conclusive verdict (tasks: ${where}).`,
      remedy: 'Rerun those episodes so that their success criteria are evaluated.',
    }
  },
})

/** A verdict exists, and a solved episode's verdict is a pass. */
function isJudged({ status, verdict }: EpisodeFact): boolean {
  if (verdict === null || verdict === 'inconclusive') return false
  return status !== 'solved' || verdict === 'pass'
}

const WORDS: Record<Provenance, string> = {
  manual: 'uploaded by hand',
  token: 'uploaded with a token',
  oidc: 'uploaded by a verified workflow',
  local: 'run here',
}

/** Every episode comes from a sufficiently trusted source. */
export const provenanceRule = evidenceRule({
  code: 'provenance',
  fromSeed: false,
  isByKind: true,
  demand: ({ weakestProvenance }) => `Every episode was at least ${WORDS[weakestProvenance]}.`,
  check: ({ facts, context }) => {
    const min = PROVENANCE_LEVELS.indexOf(context.policy.weakestProvenance)
    const below = facts.filter(({ provenance }) => PROVENANCE_LEVELS.indexOf(provenance) < min)
    const first = below[0]
    if (!first) return null
    return {
      reason: `${below.length} of ${countOf(facts.length, 'episode was', 'episodes were')} ${WORDS[first.provenance]} without a verified sender.`,
      remedy: 'Upload the results with a token or from CI, or run them on this server.',
    }
  },
})

/** Fixed: recovery counts only where the fault really happened. */
export const faultFiredRule = evidenceRule({
  code: 'fault-fired',
  fromSeed: true,
  isByKind: true,
  demand: () => 'In a stress entry, the planned fault fired in every counted episode.',
  check: ({ facts }) => {
    const quiet = facts.filter(({ fault }) => fault !== null && !fault.fired)
    if (quiet.length === 0) return null
    return {
      reason: `The planned fault did not fire in ${countOf(quiet.length, 'episode')} (tasks: ${listNames(quiet.map((fact) => fact.taskId))}).`,
      remedy:
        'Move the injection point to a step that is always reached, and rerun those episodes.',
    }
  },
})

/** Fixed: a failure under a fault is meaningful only where the entry passes without the fault. */
export const faultBaselineRule = evidenceRule({
  code: 'fault-baseline',
  fromSeed: true,
  isByKind: true,
  demand: () => 'For a stress entry, the same version passes the same tasks without the fault.',
  check: ({ facts, context }) => {
    const faulted = facts.filter(({ fault }) => fault !== null).map(({ taskId }) => taskId)
    const bare = new Set(faulted.filter((taskId) => !context.passedWithoutFault.has(taskId)))
    if (bare.size === 0) return null
    return {
      reason: `The same version has not passed ${listNames(bare)} without the fault.`,
      remedy:
        'Run those tasks without the fault and with the same settings; omit tasks that it cannot solve.',
    }
  },
})
