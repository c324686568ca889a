import {
  type EpisodeFact,
  entryOf,
  isLlmDriven,
  isSameRecord,
  type Subject,
} from '../../record/index.ts'
import { countOf, listNames, pluralForm } from '../../text/index.ts'
import { type EligibilityContext, evidenceRule, type PlanTerms, type RuleFailure } from '../rule.ts'

/** Fixed: the envelope records exact versions of agent, libraries and environment. */
export const pinsRule = evidenceRule({
  code: 'pins',
  fromSeed: true,
  isByKind: true,
  demand: () =>
    'Agent, libraries, browser and environment are recorded with exact versions, and the harness is a clean commit.',
  check: ({ facts }) => {
    const fields = listUnpinned(facts)
    if (fields.size === 0) return null
    return {
      reason: `Not pinned to an exact version: ${listNames(fields, 6)}.`,
      remedy: 'Specify exact versions, commit all changes to the harness, and rerun.',
    }
  },
})

function listUnpinned(facts: readonly EpisodeFact[]): ReadonlySet<string> {
  const fields = new Set<string>()
  let request: Subject | null = null
  for (const { subject, unpinned } of facts) {
    for (const field of unpinned) fields.add(field)
    if (subject !== request) for (const field of unpinnedOf(subject)) fields.add(field)
    request = subject
  }
  return fields
}

function unpinnedOf({ kind, version, adapterVersion }: Subject): string[] {
  const fields = isExact(version) ? [] : ['version']
  return kind === 'library' && !isExact(adapterVersion) ? [...fields, 'adapter version'] : fields
}

const MOVING = /^(unknown|latest|next|canary|nightly|stable|dev|head|main|master)$/i
const RANGE = /[\^~<>=*|\s]|(^|\.)x(\.|$)/i

/** True for an exact version: present, not a moving tag, not a range. */
export function isExact(version: string | null): boolean {
  if (version === null || version.trim() === '') return false
  return !MOVING.test(version) && !RANGE.test(version)
}

/** Fixed: model, temperature and budgets of a language model are pinned before the first episode starts. */
export const llmPinsRule = evidenceRule({
  code: 'llm-pins',
  fromSeed: true,
  isByKind: true,
  demand: () =>
    'For an entry driven by a language model, the plan pins model id, temperature (a number or provider-fixed), ' +
    'max steps, token budget and cost budget before the first episode starts; a subscription has a flat cost and needs no cost budget.',
  check: ({ facts, context }) => {
    const driven = facts.filter(isLlmDriven)
    const plans = new Map(driven.map(({ planDigest, subject }) => [planDigest, subject.arm]))
    const missing = new Set(
      [...plans].flatMap(([digest, arm]) => missingPins(context.plans.get(digest), arm)),
    )
    if (missing.size > 0) return missingComplaint(missing)
    const early = driven.filter((fact) => startedEarly(fact, context.plans.get(fact.planDigest)))
    if (early.length === 0) return null
    return {
      reason: `${early.length} of ${countOf(driven.length, 'episode')} started before their plan was frozen, so their settings were not pinned in advance.`,
      remedy: 'Freeze a plan, then run it.',
    }
  },
})

function missingPins(plan: PlanTerms | undefined, arm: string | undefined): string[] {
  if (!plan) return ['the plan itself']
  const { settings } = entryOf(plan, arm) ?? plan
  const { temperature, maxSteps, maxTokens, maxCostMicroUsd, login } = settings
  const pins = {
    'model id': plan.subject.modelRequested || null,
    temperature: Number.isNaN(temperature) ? null : temperature,
    'max steps': maxSteps,
    'token budget': maxTokens,
    'cost budget': maxCostMicroUsd ?? login ?? null,
  }
  return Object.entries(pins).flatMap(([name, value]) => (value === null ? [name] : []))
}

function missingComplaint(missing: Set<string>): RuleFailure {
  return {
    reason: `Not pinned in the plan: ${listNames(missing, 6)}.`,
    remedy: 'Create a plan that pins all five (temperature may be provider-fixed) and run it.',
  }
}

/** ISO instants in UTC of one form compare as text. */
function startedEarly(fact: Pick<EpisodeFact, 'startedAt'>, plan: PlanTerms | undefined): boolean {
  return plan !== undefined && fact.startedAt < plan.frozenAt
}

/** An episode counts only under a plan that was frozen before it started, with that plan's settings. */
export const frozenPlanRule = evidenceRule({
  code: 'frozen-plan',
  fromSeed: false,
  isByKind: true,
  demand: () =>
    'Every episode ran under a known plan, after the plan was frozen, with the plan’s settings and agent or library.',
  check: ({ facts, context }) => {
    const find = violationFinder(context)
    const faults = facts.flatMap((fact) => find(fact) ?? [])
    if (faults.length === 0) return null
    const kinds = [...new Set(faults)].sort().join('; ')
    return {
      reason: `${countOf(faults.length, 'episode')} of ${facts.length} did not follow the plan: ${kinds}.`,
      remedy:
        'Freeze a plan, run it without changing its settings, and upload it with the results.',
    }
  },
})

/** Neighbours nearly always share plan, settings and subject, which are then compared once. */
function violationFinder({ plans }: EligibilityContext): (fact: EpisodeFact) => string | null {
  let [last, found]: [EpisodeFact | null, string | null] = [null, null]
  return (fact) => {
    const plan = plans.get(fact.planDigest)
    const isLike =
      fact.planDigest === last?.planDigest &&
      fact.settings === last.settings &&
      fact.subject === last.subject
    if (!isLike) found = violationOf(fact, plan)
    last = fact
    // For model-driven entries llm-pins reports the same violation.
    if (found === null && startedEarly(fact, plan) && !isLlmDriven(fact))
      return 'started before the plan was frozen'
    return found
  }
}

function violationOf(fact: EpisodeFact, plan: PlanTerms | undefined): string | null {
  if (!plan) return 'unknown plan'
  const entry = entryOf(plan, fact.subject.arm)
  if (entry === null) return 'an arm that the plan does not have'
  if (!isSameRecord(fact.settings, entry.settings)) return 'different settings'
  return isSameRecord(fact.subject, entry.subject) ? null : 'different agent or library'
}

/** New results cannot use an older policy; results received under it keep it. */
export const policyVersionRule = evidenceRule({
  code: 'policy-version',
  fromSeed: false,
  isByKind: true,
  demand: ({ version }) =>
    `The plan was frozen under the policy version that was current when its results were received (current version: ${version}).`,
  check: ({ facts, context: { plans, policy } }) => {
    const isOther = ({ planDigest, receivedUnder = policy.version }: EpisodeFact) => {
      const plan = plans.get(planDigest)
      return plan !== undefined && receivedUnder !== null && plan.policyVersion !== receivedUnder
    }
    const other = facts.filter(isOther)
    const [first] = other
    if (!first) return null
    const { policyVersion = 0 } = plans.get(first.planDigest) ?? {}
    const { receivedUnder = policy.version } = first
    // A plan made for a future policy must not become valid when that policy is released.
    if (policyVersion > (receivedUnder ?? 0))
      return {
        reason: `${countOf(other.length, 'episode')} of ${facts.length} were received under policy ${receivedUnder}, but the plan was frozen under policy ${policyVersion}, which was unknown to this server.`,
        remedy: 'Update this server, create a new plan and run it.',
      }
    return {
      reason: `${countOf(other.length, 'episode')} of ${facts.length} were received under a newer policy than the plan’s (policy ${policyVersion}).`,
      remedy: 'Create a new plan with this version and run it.',
    }
  },
})

/** Prevents cherry-picking: the plan is registered before its first episode, and all its runs must be submitted. */
export const registeredRule = evidenceRule({
  code: 'registered',
  fromSeed: false,
  demand: ({ clockToleranceMs }) =>
    `The sender registered the plan on this server before its first episode started (clocks may differ by ${clockToleranceMs / 1000} s), and every registered run was received.`,
  check: ({ context: { registration } }) => {
    if (!registration || registration.status === 'registered') return null
    const { runs, unregistered, late, owed, received, blind } = registration
    if (unregistered > 0)
      return {
        reason: `Unregistered: ${unregistered} of ${countOf(runs, 'run')} submitted without a plan registered in advance by the same sender.`,
        remedy:
          'Register a plan with proofboard plan --register, then run it and submit every run. Runs on this server are registered automatically.',
      }
    if (late > 0)
      return {
        reason: `Registered too late: ${late} of ${countOf(runs, 'run')} had already started when the plan was registered.`,
        remedy:
          'Register the plan before its first episode starts, and check the clock of the machine.',
      }
    if (received < owed)
      return {
        reason: `${received} of ${countOf(owed, 'registered run')} received.`,
        remedy:
          'Submit the missing runs, or ask an administrator to remove them from the ledger with a public reason.',
      }
    return {
      reason: `The sender registered ${countOf(blind, 'other plan')} by digest only before this one, and no results of ${pluralForm(blind, 'it', 'them')} were received.`,
      remedy: 'Submit the results of those plans as well, or register plans with their content.',
    }
  },
})
