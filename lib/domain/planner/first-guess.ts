import type { Price, PriceUsage } from '../board/index.ts'
import type { PlanDraft } from '../record/index.ts'
import { type Task, taskKind } from '../tasks/index.ts'
import { countOf } from '../text/index.ts'

// Estimates cost and time of a plan without past runs, from the size of its tasks and the usual behaviour of agents.
// The numbers are not measured, so every estimate is labelled a guess and has a wide range.

/** An estimated amount. Unknown is null, never 0. */
export type Quote = {
  expected: number | null
  /** 95 % interval; see `basis`. Null beside an expected amount = one task says nothing about others. */
  low: number | null
  high: number | null
  /** The basis of the estimate, or why it is unknown: one sentence. */
  basis: string
  /** Upper limit from the plan's own limits; null = no limit is pinned. */
  atMost: number | null
  /** No similar past runs: estimated from the size of the tasks alone. Absent = based on past episodes. */
  isGuess?: true
}

type Guessed = {
  plan: Pick<PlanDraft, 'subject' | 'settings'>
  /** The planned tasks, each with its number of episodes. */
  tasks: readonly { taskId: string; episodes: number }[]
  /** The suite's data about the tasks. */
  known: readonly Task[]
}

/** Tokens of system prompt and tools that agents send with each turn. */
const FRAME_TOKENS = 12_000
/** Tokens of instructions and stub, and of each visible test that an agent reads. */
const TASK_TOKENS = 1200
const TEST_TOKENS = 90
/** Tokens of a page in the output of its library. */
const PAGE_TOKENS = 3000
/** Tokens that a turn adds to the conversation, and the part written by the model. */
const TURN_TOKENS = 900
const TURN_OUTPUT = 450
/** Share of earlier input that providers bill as read from their cache. */
const CACHED_SHARE = 0.8
const TURN_MS = 9000
const MIN_TURNS = 6
const TURNS_PER_TEST = 0.4
const MAX_TURNS = 40
const TURNS_BY_DIFFICULTY = { easy: 0, medium: 3, hard: 8, unknown: 3 } as const

/** The actual value may be a third of the guess, or four times as much. */
const LOW = 1 / 3
const HIGH = 4
const RANGE_WORDS = 'the true figure may be a third of it or four times as much'

/** Estimates the cost in micro-dollars from the size of the tasks; null if the model has no price. */
export function guessCost(
  guessed: Guessed & { price: PriceUsage; now: string },
  atMost: number | null,
): Quote | null {
  const { plan, price, now } = guessed
  const { provider, modelRequested: model } = plan.subject
  if (model === null) return null
  const efforts = listEfforts(guessed)
  let expected = 0
  let prices = ''
  for (const { tokens, episodes } of efforts) {
    const priced = price({ provider, model, tokens, at: now })
    if (priced.costMicroUsd === null) return null
    expected += priced.costMicroUsd * episodes
    prices = priceWords(model, priced)
  }
  const basis = `${sizeWords(efforts)}, ${prices}; ${RANGE_WORDS}. Past episodes replace it once there are some.`
  return { ...spread(expected, atMost), basis, atMost, isGuess: true }
}

/** States the source of the price; only a table has a date. */
function priceWords(model: string, { priceTable, source }: Price): string {
  if (priceTable) return `at the prices of ${model} in ${priceTable.id} of ${priceTable.date}`
  return source === 'free' ? `where ${model} is free` : `at the given price of ${model}`
}

/** Estimates the time in milliseconds from the size of the tasks; null if no model is used. */
export function guessTime(
  guessed: Guessed,
  { concurrency, atMost }: { concurrency: number; atMost: number },
): Quote | null {
  if (guessed.plan.subject.modelRequested === null) return null
  const efforts = listEfforts(guessed)
  const ms = efforts.reduce((sum, { turns, episodes }) => sum + turns * TURN_MS * episodes, 0)
  const basis = `${sizeWords(efforts)}, ${TURN_MS / 1000} s each; ${RANGE_WORDS}. Past episodes replace it once there are some.`
  return { ...spread(ms / concurrency, atMost), basis, atMost, isGuess: true }
}

/** A guess never exceeds what the plan's own limits allow. */
function spread(expected: number, atMost: number | null) {
  const cut = (amount: number) => (atMost === null ? amount : Math.min(amount, atMost))
  return { expected: cut(expected), low: cut(expected * LOW), high: cut(expected * HIGH) }
}

type Effort = ReturnType<typeof effortOf> & { episodes: number }

function listEfforts({ plan, tasks, known }: Guessed): Effort[] {
  const byId = new Map(known.map((task) => [task.taskId, task]))
  return tasks.map(({ taskId, episodes }) => ({
    ...effortOf(byId.get(taskId), plan.settings),
    episodes,
  }))
}

/** Turns and tokens of one episode: each turn sends the earlier conversation again. */
function effortOf(task: Task | undefined, { maxSteps, maxTokens }: PlanDraft['settings']) {
  const turns = Math.min(turnsOf(task), maxSteps ?? MAX_TURNS)
  const transcriptTokens = sizeOf(task) + (turns * TURN_TOKENS) / 2
  const [sent, written] = [turns * (FRAME_TOKENS + transcriptTokens), turns * TURN_OUTPUT]
  // A budget that ends an episode earlier leaves that share of the work.
  const share = Math.min(1, (maxTokens ?? Number.MAX_SAFE_INTEGER) / (sent + written))
  const cacheRead = Math.floor(sent * share * CACHED_SHARE)
  // Counted as providers do: `input` includes what was read from the cache.
  const tokens = {
    input: Math.round(sent * share),
    output: Math.round(written * share),
    cacheRead,
    cacheWrite: null,
    reasoning: null,
  }
  return { turns, tokens }
}

function turnsOf(task: Task | undefined): number {
  if (task === undefined) return MIN_TURNS
  const { tests, maxTurns, isPaged } = taskKind(task).effort(task)
  const usual = MIN_TURNS + tests * TURNS_PER_TEST + TURNS_BY_DIFFICULTY[task.difficulty]
  const guess = isPaged ? MAX_TURNS : Math.round(Math.min(usual, MAX_TURNS))
  return Math.min(guess, maxTurns ?? MAX_TURNS)
}

function sizeOf(task: Task | undefined): number {
  if (task === undefined) return TASK_TOKENS
  const { tests, isPaged } = taskKind(task).effort(task)
  return isPaged ? PAGE_TOKENS : TASK_TOKENS + tests * TEST_TOKENS
}

function sizeWords(efforts: readonly Effort[]): string {
  const turns = efforts.map((one) => one.turns)
  const [least, most] = [Math.min(...turns), Math.max(...turns)]
  const range = least === most ? countOf(least, 'turn') : `${least} to ${countOf(most, 'turn')}`
  return `A first guess, nothing was measured yet: ${range} per episode by the size of the tasks`
}
