import type { Assertion } from '#lib/domain/record/index.ts'
import type { HarborStep, HarborTask } from '#lib/domain/tasks/index.ts'
import { assertion } from '../assertion.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import { type HarborEvaluation, judgeHarbor } from './judge-harbor.ts'
import type { HarborPlace } from './place.ts'

/** Steps that were judged, in order, and why no further one was run; null = all were run, or the run was stopped. */
export type JudgedSteps = { evaluations: readonly HarborEvaluation[]; stopped: string | null }

/**
 * Moves to the next step after one was judged. Returns null if it can be worked on, otherwise the end: `why` no further
 * step is run; null = there is none.
 */
export async function moveOn(
  task: HarborTask,
  place: HarborPlace,
  { rewards }: Pick<HarborEvaluation, 'rewards'>,
): Promise<{ why: string | null } | null> {
  const { steps = [] } = task
  const step = steps[place.at]
  const next = steps[place.at + 1]
  if (step === undefined || next === undefined) return { why: null }
  const low = findLow(step, rewards)
  if (low !== null) return { why: low }
  const problem = await place.advance()
  return problem === null ? null : { why: `step ${next.name} cannot be worked on: ${problem}` }
}

/** A reward that is missing is too low. */
function findLow(
  { name, minRewards }: HarborStep,
  rewards: HarborEvaluation['rewards'],
): string | null {
  const low = Object.entries(minRewards).find(
    ([key, min]) => !Object.hasOwn(rewards, key) || Number(rewards[key]) < min,
  )
  if (low === undefined) return null
  const [key, min] = low
  return `the ${key === 'reward' ? 'reward' : `reward ${key}`} of step ${name} is less than ${min}`
}

/**
 * Works on each step and judges it. `act` returns why a step could not be worked on, which ends all; null = it was.
 */
export async function workThroughSteps(
  task: HarborTask,
  place: HarborPlace,
  act: (place: HarborPlace) => Promise<string | null>,
  judge: (place: HarborPlace, work: TakenWork) => Promise<HarborEvaluation> = (_, work) =>
    judgeHarbor(place, work, place.step),
): Promise<HarborEvaluation | string> {
  const evaluations: HarborEvaluation[] = []
  for (;;) {
    const problem = await act(place)
    if (problem !== null) return problem
    const evaluation = await judge(place, await place.take([]))
    evaluations.push(evaluation)
    const end = await moveOn(task, place, evaluation)
    if (end !== null) return combineSteps(task, { evaluations, stopped: end.why })
  }
}

/**
 * Combines the evaluations of a task's steps: every step has to be solved, or with `final` the last one. A step that was
 * not run is not solved. Without steps it is the only evaluation.
 */
export function combineSteps(
  { steps, stepReward }: HarborTask,
  { evaluations, stopped }: JudgedSteps,
): HarborEvaluation {
  const last = evaluations.at(-1)
  if (last === undefined) throw new Error('nothing was judged')
  if (steps === undefined) return last
  const isFinal = stepReward === 'final'
  const counts = (at: number) => !isFinal || at === steps.length - 1
  const assertions = steps.map(({ name }, at) =>
    describeStep(evaluations[at], {
      label: `step ${at + 1} of ${steps.length}: ${name}`,
      counts: counts(at),
      why: stopped ?? 'the run ended before it',
    }),
  )
  const guesses = evaluations.flatMap(({ contract: { guess } }) => guess ?? [])
  const isSolved = assertions.every(({ verdict }) => verdict === 'pass')
  const rewards = steps.map((_, at) => evaluations[at]?.reward ?? 0)
  return {
    contract: {
      verdict: isSolved ? 'pass' : 'fail',
      assertions,
      expectedTests: null,
      executedTests: null,
      passedTests: null,
      ...(guesses.length > 0 && { guess: Math.max(...guesses) }),
    },
    findings: evaluations.flatMap(({ findings }) => findings),
    log: evaluations
      .map(({ log }, at) => `# step ${at + 1} of ${steps.length}: ${steps[at]?.name}\n${log}`)
      .join('\n'),
    exit: last.exit,
    reward: isFinal
      ? (rewards.at(-1) ?? 0)
      : rewards.reduce((sum, one) => sum + one, 0) / steps.length,
    rewards: {},
  }
}

type Described = { label: string; counts: boolean; why: string }

/** A step whose reward does not count is shown only. */
function describeStep(
  evaluation: HarborEvaluation | undefined,
  { label, counts, why }: Described,
): Assertion {
  const expected = counts ? 'solved' : 'shown only'
  if (evaluation === undefined)
    return assertion('step', label, expected, `not run: ${why}`, !counts)
  const { contract, reward } = evaluation
  const observed = reward === null ? 'no reward' : `reward ${reward}`
  return counts
    ? assertion('step', label, expected, observed, contract.verdict, contract.assertions)
    : assertion('step', label, expected, observed, true, contract.assertions.map(shownOnly))
}

function shownOnly(one: Assertion): Assertion {
  return {
    ...one,
    expected: 'shown only',
    verdict: 'pass',
    children: one.children.map(shownOnly),
  }
}
