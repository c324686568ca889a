import { dirname, join } from 'node:path'
import {
  buildBoard,
  describeStop,
  formatModels,
  formatTier,
  type JudgedRow,
  type StopDecision,
  shareModels,
} from '#lib/domain/board/index.ts'
import { type ArmsView, compareArms, formatArms } from '#lib/domain/compare/index.ts'
import {
  type Episode,
  episodeFact,
  isScored,
  type OutcomeStatus,
  type Plan,
  type RunEvent,
  type Shard,
} from '#lib/domain/record/index.ts'
import { compareRows } from '#lib/domain/statistics/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import {
  countOf,
  cutText,
  firstLine,
  formatDuration,
  plainText,
  shellWord,
} from '#lib/domain/text/index.ts'
import type { RunReport } from '../engine/run-plan.ts'
import { describeSpending } from '../engine/spending.ts'
import type { LocalBoard } from './local-board.ts'
import { readSkillVerdict } from './skill-verdict.ts'

type RunSummaryJson = {
  runId: string
  planned: number
  sealed: number
  solved: number
  unsolved: number
  void: number
  /** Every excluded attempt, including those that were retried. */
  voidAttempts: number
  cancelled: number
  byStatus: Partial<Record<OutcomeStatus, number>>
  durationMs: number
  resultPath: string
  /** State of --spend-cap; null = not set. */
  spend: RunReport['spend']
  /** The decision that stopped the plan; absent = it was not stopped. */
  decided?: StopDecision
  /** Eligibility of the run's entry, as run by this machine's own runner; none for a top-up. */
  rows: readonly JudgedRow[]
  /** Each arm of the plan against its baseline; absent = the plan has none. */
  arms?: ArmsView
  /** Rank of the run on the board of its data folder; null = it ran in another folder. */
  board: LocalBoard | null
  /** Each expected behaviour of the tasks, with the episodes that show it; absent = none is expected. */
  behaviour?: readonly string[]
}

type EndedRun = {
  runId: string
  plan: Plan
  report: RunReport
  rows: readonly JudgedRow[]
  arms: ArmsView | null
  board: LocalBoard | null
  behaviour?: readonly string[]
}

/**
 * Summarises a run. `unsolved` = scored but not solved. Exit code 0 = every planned episode is sealed and scored, or
 * all until the plan's rule stopped it; 1 = some are excluded or missing, 130 = stopped before the end.
 */
export function summarizeRun({ runId, plan, report, rows, arms, board, ...shown }: EndedRun): {
  json: RunSummaryJson
  text: string
  exitCode: number
} {
  const byStatus: RunSummaryJson['byStatus'] = {}
  for (const { outcome } of report.episodes)
    byStatus[outcome.status] = (byStatus[outcome.status] ?? 0) + 1
  const scored = report.episodes.filter(({ outcome }) => isScored(outcome.status)).length
  const solved = byStatus.solved ?? 0
  const json: RunSummaryJson = {
    runId,
    planned: report.planned,
    sealed: report.episodes.length,
    solved,
    unsolved: scored - solved,
    void: byStatus.void ?? 0,
    voidAttempts: report.attempts.filter(({ outcome }) => outcome.status === 'void').length,
    cancelled: byStatus.cancelled ?? 0,
    byStatus,
    durationMs: report.durationMs,
    resultPath: report.resultPath,
    spend: report.spend,
    ...(report.decided && { decided: report.decided }),
    rows,
    ...(arms && { arms }),
    board,
    ...shown,
  }
  const others = Object.entries(byStatus)
    .filter(([status]) => status !== 'solved')
    .map(([status, count]) => `${count} ${status}`)
  const text = `${verdictLines(report, arms)}${[
    `${solved} of ${report.decided?.after ?? report.planned} solved`,
    ...others,
    formatDuration(report.durationMs),
  ].join(
    ', ',
  )}\n${behaviourText(shown.behaviour)}${gateLines(rows)}${modelLines(plan, report)}${topUpLine(plan)}${spendLine(report)}${resumeLine(report)}${report.resultPath}${boardLines(board)}`
  const owed = report.decided?.after ?? report.planned
  const exitCode = report.stopped ? 130 : scored === owed ? 0 : 1
  return { json, text, exitCode }
}

function behaviourText(lines: readonly string[] = []): string {
  return lines.map((line) => `expected behaviour (not scored): ${plainText(line)}\n`).join('')
}

/** Entries that say the same share a line. */
function gateLines(rows: readonly JudgedRow[]): string {
  const lines = rows.map(gateLine)
  const same = new Set(lines.map((line, at) => line.replace(`${rows[at]?.subject.arm}: `, '')))
  return same.size === 1 && lines.length > 1 ? [...same].join('') : lines.join('')
}

function gateLine({ eligible, label, reasons, subject: { arm } }: JudgedRow): string {
  const who = arm === undefined ? '' : `${arm}: `
  if (eligible) return `${who}${formatTier(label)}\n`
  return `${who}${formatTier(label)}: ${reasons.map(({ text }) => text).join(' ')}\n`
}

/** Reports models besides the pinned one, and implausible usage. */
function modelLines({ subject }: Plan, { episodes }: RunReport): string {
  const facts = episodes.map((episode) => episodeFact(episode, 'local'))
  const modelShares = shareModels(facts)
  const calls = facts.reduce((sum, { implausibleCalls = 0 }) => sum + implausibleCalls, 0)
  const lines = [
    ...(modelShares ? [`models: ${formatModels({ subject, modelShares }, plainText)}`] : []),
    ...(calls > 0 ? [`implausible usage: ${countOf(calls, 'call')} (${IMPLAUSIBLE})`] : []),
  ]
  return lines.map((line) => `${plainText(line)}\n`).join('')
}

const IMPLAUSIBLE = 'the provider states tokens that cannot be true beside the bytes sent'

/** The verdict first. Of one arm, the decision of the plan replaces the sentence of the comparison, which knows no looks. */
function verdictLines({ decided }: RunReport, arms: ArmsView | null): string {
  const lines = arms === null ? [] : formatArms(arms)
  const [effect, ...others] = arms?.effects ?? []
  if (!decided) return lines.map((line) => `${line}\n`).join('')
  if (arms === null || effect === undefined || others.length > 0)
    return `${describeStop(decided)}\n`
  const { text } = readSkillVerdict(effect, decided)
  const rest = formatArms({ ...arms, effects: [{ ...effect, more: null }] })
    .slice(1)
    .filter((line) => effect.costPerGain.ok || !line.startsWith('  Cost:'))
  return [text, ...rest].map((line) => `${line}\n`).join('')
}

function spendLine({ spend, planned, decided, episodes }: RunReport): string {
  return spend ? `${describeSpending(spend, (decided?.after ?? planned) - episodes.length)}\n` : ''
}

function resumeLine({ stopped, gaveUp, resultPath }: RunReport): string {
  return stopped || gaveUp !== null ? `${howToResume(dirname(resultPath))}\n` : ''
}

/** Running the same plan in the same folder completes attempts that were interrupted or not started. */
export function howToResume(folder: string): string {
  const [plan, out] = [join(folder, 'plan.json'), folder].map(shellWord)
  return `resume with: npx proofboard run --plan ${plan} --out ${out} (and --agent-file, --record, --spend-cap or --submit, if you gave them)`
}

function boardLines(board: LocalBoard | null): string {
  if (!board) return ''
  const start = board.isServed ? '' : ' (start the board with: npm start)'
  const urls = board.rows.length > 0 ? board.rows.map(({ url }) => url) : [board.runUrl]
  return urls.map((url) => `\non the board: ${url}${start}`).join('')
}

function topUpLine({ topUpOf }: Plan): string {
  if (!topUpOf) return ''
  return `adds to ${topUpOf.runIds.join(', ')}: give all their results to "proofboard check" to see the row\n`
}

/** A listener that displays a run and does not influence it. */
type Reporter = { on: (event: RunEvent) => void; end: () => void }

type Tally = { planned: number; done: number; startedAt: number; counts: Map<string, number> }

/** `isContinued` = an earlier look has printed what was planned. */
type ReporterOptions = { now?: () => number; isContinued?: boolean | undefined }

/**
 * Reports progress: a live line on a terminal, otherwise one plain line per episode. On stderr, because stdout is for
 * results.
 */
export function consoleReporter(
  stream: NodeJS.WritableStream & { isTTY?: boolean },
  { now = () => performance.now(), isContinued = false }: ReporterOptions,
): Reporter {
  const live = stream.isTTY === true
  const tally: Tally = { planned: 0, done: 0, startedAt: now(), counts: new Map() }
  const on = (event: RunEvent) => {
    const message = describe(event, tally)
    const line = isContinued && event.event === 'run-started' ? null : message
    if (line) stream.write(live ? `\r\x1b[K${line}\n` : `${line}\n`)
    if (live) stream.write(`\r\x1b[K${liveLine(event, tally, now())}`)
  }
  return { on, end: () => live && stream.write('\r\x1b[K') }
}

/** Limit of characters of a reason on a terminal line. */
const MAX_REASON = 200

type SealedEvent = Extract<RunEvent, { event: 'episode-sealed' }>

function describe(event: RunEvent, tally: Tally): string | null {
  if (event.event === 'run-started') {
    tally.planned = event.planned
    tally.done = event.alreadySealed
    const kept = event.alreadySealed > 0 ? `, ${event.alreadySealed} already finished` : ''
    return `${event.runId}: ${countOf(event.planned, 'episode')} planned${kept}`
  }
  if (event.event === 'episode-sealed') {
    tally.done += 1
    tally.counts.set(event.status, (tally.counts.get(event.status) ?? 0) + 1)
    return describeSealed(event)
  }
  if (event.event === 'spend-cap-reached' || event.event === 'run-given-up') return event.reason
  if (event.event === 'run-decided') return event.reason
  if (event.event === 'run-paused') return `paused until ${clockTime(event.until)}: ${event.reason}`
  return event.event === 'run-stopped'
    ? `stopped: ${event.reason}; finished episodes are kept`
    : null
}

function describeSealed(event: SealedEvent): string {
  const { status, taskId, repetition, attempt, arm, reason } = event
  const place = [taskId, `r${repetition}`, arm, attempt > 1 ? `attempt ${attempt}` : null]
  const line = `${status.padEnd(15)} ${place.filter(Boolean).join(' ')}`
  const why = firstLine(reason)
  return why === null ? line : `${line}: ${plainText(cutText(why, MAX_REASON))}`
}

/** Formats a time in this terminal's zone: `14:05`, with the date if it is another day. */
function clockTime(instant: string): string {
  const at = new Date(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} `
  const isToday = at.toDateString() === new Date().toDateString()
  return `${isToday ? '' : day}${two(at.getHours())}:${two(at.getMinutes())}`
}

function liveLine(event: RunEvent, tally: Tally, now: number): string {
  const counts = [...tally.counts].map(([status, count]) => `${count} ${status}`).join(' · ')
  const seconds = Math.round((now - tally.startedAt) / 1000)
  const place =
    event.event === 'phase-started' ? ` · ${event.taskId} r${event.repetition} ${event.phase}` : ''
  return `${tally.done}/${tally.planned}${counts ? ` · ${counts}` : ''} · ${seconds} s${place}`.slice(
    0,
    110,
  )
}

/** Writes every event as a JSON line to stdout, for the parent process. Ignores a closed pipe. */
export function ndjsonReporter(): Reporter {
  process.stdout.on('error', () => {})
  return { on: (event) => process.stdout.write(`${JSON.stringify(event)}\n`), end: () => {} }
}

type ComparedRun = { runId: string; plan: Plan; shard: Shard; attempts: readonly Episode[] }

/** Compares the arms of a run as the board's page does; null = the plan has none to compare. */
export function compareRunArms(
  { runId, plan, shard, attempts }: ComparedRun,
  suite: Suite,
): ArmsView | null {
  if (plan.arms === undefined || plan.topUpOf) return null
  const facts = attempts.map((episode) => episodeFact(episode, 'local'))
  const { rows } = buildBoard({ suite, facts, runs: [{ runId, plan, shard }] })
  const counts = rows.map(({ rowId, tasks, looks }) => ({ key: rowId, tallies: tasks, looks }))
  return compareArms(rows, compareRows(counts))
}
