import type { Digest } from '../../digest/index.ts'
import { digestTests, type EpisodeFact } from '../../record/index.ts'
import { countOf, listNames } from '../../text/index.ts'
import type { EvaluationState } from '../eligibility.ts'
import { commonest, needsEvaluation, outsideOf } from '../evaluations.ts'
import { type EligibilityContext, evidenceRule, type RuleFailure } from '../rule.ts'
import { isShipped } from '../shipped-subjects.ts'

/** Fixed: identical task definitions and success criteria for every compared entry. */
export const sameContractRule = evidenceRule({
  code: 'same-contract',
  fromSeed: true,
  isByKind: true,
  demand: () =>
    'Every compared entry ran the same version of every task and was judged by all tests of the task, matched by name.',
  check: ({ facts, context }) => {
    const tasks = new Map(context.suiteTasks.map((task) => [task.taskId, task]))
    const other = facts.filter(({ taskId, taskDigest }) => tasks.get(taskId)?.digest !== taskDigest)
    if (other.length === 0) return testsComplaint(facts, tasks)
    return {
      reason: `These tasks were run in a different version: ${listNames(other.map((fact) => fact.taskId))}.`,
      remedy: 'Rerun those tasks with the suite version of this board.',
    }
  },
})

type SuiteTask = EligibilityContext['suiteTasks'][number]

function testsComplaint(
  facts: readonly EpisodeFact[],
  tasks: ReadonlyMap<string, SuiteTask>,
): RuleFailure | null {
  const digests = new Map<string, Digest>()
  const digestOf = ({ taskId, expectedTests = [] }: SuiteTask) => {
    const digest = digests.get(taskId) ?? digestTests(expectedTests)
    digests.set(taskId, digest)
    return digest
  }
  const other = facts.filter(({ taskId, status, origin }) => {
    const task = tasks.get(taskId)
    if (!origin?.tests || !task?.expectedTests?.length) return false
    if (origin.tests.expected !== task.expectedTests.length) return true
    return status === 'solved' && origin.tests.passed !== digestOf(task)
  })
  if (other.length === 0) return null
  return {
    reason: `${other.length} of ${countOf(facts.length, 'episode was', 'episodes were')} not judged by the suite's tests (tasks: ${listNames(other.map((fact) => fact.taskId))}).`,
    remedy: 'Rerun those tasks with the unmodified suite.',
  }
}

/** A tampering finding counts until it is resolved in the public ledger. */
export const integrityRule = evidenceRule({
  code: 'integrity',
  fromSeed: false,
  isByKind: true,
  demand: () => 'No unresolved tampering findings.',
  check: ({ facts, context }) => {
    const open = facts.filter(
      ({ episodeId, findings, status }) =>
        (findings > 0 || status === 'tampered') && !context.resolvedFindings.has(episodeId),
    )
    if (open.length === 0) return null
    return {
      reason: `Tampering findings in ${open.length} of ${countOf(facts.length, 'episode')} (tasks: ${listNames(open.map((fact) => fact.taskId))}).`,
      remedy: 'Review the findings and resolve them in the ledger, or rerun those episodes.',
    }
  },
})

/** Invalidated results are never ranked. */
export const invalidatedRule = evidenceRule({
  code: 'invalidated',
  fromSeed: false,
  demand: () => 'Neither the entry nor any of its runs is invalidated in the ledger.',
  check: ({ context: { invalidations } }) => {
    const [first, ...more] = invalidations
    if (!first) return null
    const others = more.length > 0 ? ` (and ${countOf(more.length, 'more entry')})` : ''
    const message = first.reason.trim().replace(/\.$/, '')
    return {
      reason: `The ledger invalidated ${first.target} on ${first.at.slice(0, 10)}${others}: ${message}.`,
      remedy: 'Run the plan again, or ask an administrator to reinstate it in the ledger.',
    }
  },
})

/** Regrading a stored solution on this server gives the same verdict. */
export const regradedRule = evidenceRule({
  code: 'regraded',
  fromSeed: false,
  demand: () =>
    'Regrading a stored solution gives the recorded verdict, or the ledger was corrected accordingly.',
  check: ({ facts, context }) => {
    if (context.regradeDisagreements.size === 0) return null
    const other = facts.filter((fact) => context.regradeDisagreements.has(fact.episodeId))
    if (other.length === 0) return null
    return {
      reason: `Regrading changed the verdict of ${countOf(other.length, 'episode')} (tasks: ${listNames(other.map((fact) => fact.taskId))}).`,
      remedy:
        'Find out why the two verifiers disagree, then rescore those episodes in the ledger or rerun them.',
    }
  },
})

/**
 * A solution that is graded without a sandbox can reach everything that the verifier's user can. Envelopes that do not
 * state it, such as old ones or those of repository tasks, are not refused.
 */
export const gradedInSandboxRule = evidenceRule({
  code: 'graded-in-sandbox',
  fromSeed: false,
  isByKind: true,
  demand: () =>
    'Solutions of exercises were graded in a sandbox (bubblewrap, docker, or a separate user), or this server evaluated them again in bubblewrap or docker and reached the same verdict.',
  check: ({ facts, context: { evaluations } }) => {
    const open = facts.filter(
      ({ episodeId, grading }) =>
        grading?.verifier?.sandbox === 'none' && evaluations?.get(episodeId)?.state !== 'agreed',
    )
    if (open.length === 0) return null
    return {
      reason: `The solutions of ${open.length} of ${countOf(facts.length, 'episode')} were graded without a sandbox.`,
      remedy:
        'Rerun on a machine where proofboard doctor shows that solutions run in bubblewrap or docker.',
    }
  },
})

/** Results from elsewhere count only after this server has evaluated the stored solutions itself. */
export const evaluatedHereRule = evidenceRule({
  code: 'evaluated-here',
  fromSeed: false,
  demand: () =>
    'This server evaluated the stored solution, or the stored final state of a browser workflow, of every episode that ran elsewhere and reached the same verdict. A number about an agent or library that comes with Proofboard needs work that could be judged.',
  check: ({ facts, kinds, context: { evaluations, policy } }) => {
    if (evaluations === null || !kinds.some(needsEvaluation)) return null
    const outside = outsideOf(facts)
    const found = outside.map((fact) => ({ fact, state: evaluations.get(fact.episodeId) }))
    const other = found.filter(({ state }) => state?.state === 'disagreed')
    if (other.length > 0)
      return {
        reason: `Evaluating the stored solutions on this server changed the verdict of ${countOf(other.length, 'episode')} (tasks: ${listNames(other.map(({ fact }) => fact.taskId))}).`,
        remedy: 'Find out why the two verifiers disagree, then rerun those episodes.',
      }
    const impossible = found.filter(({ state }) => state?.state === 'impossible')
    const why = commonest(impossible.flatMap(({ state }) => state?.reason ?? []))
    if (why !== undefined)
      return {
        reason: `${impossible.length} of ${countOf(outside.length, 'episode')} from elsewhere could not be evaluated: ${why}.`,
        remedy:
          'Upload the complete run folder to a server that has this suite and bubblewrap or docker, or run the episodes there.',
      }
    const bare = found.filter(({ fact, state }) => isBare(fact, state)).length
    if (bare > outside.length * policy.thresholds.voidShare) {
      const name = outside[0]?.subject.name ?? ''
      return {
        reason: `${bare} of ${countOf(outside.length, 'episode')} from elsewhere contain nothing that could be judged, which is no evidence about ${name}.`,
        remedy: `Run ${name} on this server, or upload runs with their recordings (--record).`,
      }
    }
    const untouched = found.filter(
      ({ fact, state }) => state?.isUntouched === true && usesVendorModel(fact),
    ).length
    if (untouched > outside.length * MAX_UNTOUCHED_SHARE)
      return {
        reason: `${untouched} of ${countOf(outside.length, 'episode')} from elsewhere left no work that could be judged.`,
        remedy: 'Upload the runs with their recordings (--record), or run them on this server.',
      }
    const waiting = found.filter(({ state }) => !state || state.state === 'pending').length
    if (waiting === 0) return null
    return {
      reason: `Evaluation of the stored solutions is in progress: ${outside.length - waiting} of ${outside.length} done.`,
      remedy: 'Wait until the evaluation is finished; the entry is updated automatically.',
    }
  },
})

/**
 * With a larger share of untouched episodes, a result about a vendor's model relies on its sender alone, regardless
 * of who made the agent.
 */
const MAX_UNTOUCHED_SHARE = 0.5

/** True if someone other than the sender serves the model; the provider of a self-hosted model contains its host. */
function usesVendorModel({ subject }: EpisodeFact): boolean {
  return subject.modelRequested !== null && !subject.provider?.includes('@')
}

/** True if only the sender's word supports a result about a shipped product. */
function isBare({ subject }: EpisodeFact, state: EvaluationState | undefined): boolean {
  if (state?.state === 'browser') return state.reason !== null
  return state?.isUntouched === true && isShipped(subject)
}

/** Refuses episodes that could be solved by guessing or, where nobody proved the task, by doing nothing. */
export const unguessableRule = evidenceRule({
  code: 'unguessable',
  fromSeed: false,
  isByKind: true,
  demand: ({ mostGuess }) =>
    `Work that does nothing of a task passes its changed tests by guessing at most once in ${Math.round(1 / mostGuess)}, in every solved episode that records it, and no task is unproven.`,
  check: ({ facts, context: { policy, suiteTasks } }) => {
    const unproven = suiteTasks.filter((task) => task.unproven).map(({ taskId }) => taskId)
    if (facts.some(({ taskId }) => unproven.includes(taskId)))
      return {
        reason: `Nothing shows that the check of these tasks refuses work that does nothing: ${listNames(unproven)}.`,
        remedy: 'Add a solution/solve.sh to them and prove them with "proofboard suite verify".',
      }
    const lucky = facts.filter(
      ({ status, guess = 0 }) => status === 'solved' && guess > policy.mostGuess,
    )
    if (lucky.length === 0) return null
    const max = Math.max(...lucky.map(({ guess = 0 }) => guess))
    return {
      reason: `Work that does nothing could be solved by guessing, once in ${Math.round(1 / max)} (tasks: ${listNames(lucky.map(({ taskId }) => taskId))}).`,
      remedy: 'Add tests to these tasks that compare results with values, and prove them again.',
    }
  },
})
