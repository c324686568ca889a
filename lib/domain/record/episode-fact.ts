import { z } from 'zod'
import type { Digest } from '../digest/index.ts'
import type { RowSettings } from '../settings/index.ts'
import type { Activation } from './activation.ts'
import { type AnyEpisode, isMeasured, type ReportedEpisode } from './any-record.ts'
import type { BrowserRecord } from './browser.ts'
import { type Environment, verifierSchema } from './environment.ts'
import type { Episode, EpisodeBody } from './episode.ts'
import type { Provenance } from './names.ts'
import { type EpisodeOrigin, escrowOrigin, originFact } from './origin-fact.ts'
import type { FailureCategory, Mode, OutcomeStatus, Verdict } from './outcome.ts'
import type { Subject } from './subject.ts'
import type { ModelUsage } from './usage.ts'

/** The facts of a sealed episode that rows, eligibility and statistics need; all derived from the envelope. */
export type EpisodeFact = {
  episodeId: string
  runId: string
  planDigest: Digest
  suiteId: string
  suiteDigest: Digest
  taskId: string
  taskDigest: Digest
  category: string
  repetition: number
  attempt: number
  status: OutcomeStatus
  failureCategory: FailureCategory | null
  mode: Mode
  verdict: Verdict | null
  subject: Subject
  settings: RowSettings
  modelObserved: readonly string[]
  /** Usage of each model; absent = not recorded. */
  models?: readonly ModelUsage[]
  /** Temperatures sent, null = none was sent; absent = not recorded. */
  temperaturesSent?: readonly (number | null)[]
  /** Number of calls with impossible token counts; absent = none. */
  implausibleCalls?: number
  /** Names of environment fields that are unpinned: missing, "unknown", a range, a dirty harness. */
  unpinned: readonly string[]
  findings: number
  recordingDigest: Digest | null
  fault: { fired: boolean; recovered: boolean | null } | null
  startedAt: string
  /** Null = reported by another program without a duration. */
  subjectMs: number | null
  totalMs: number | null
  steps: number | null
  tokens: number | null
  costMicroUsd: number | null
  /** True if usage was counted independently of the subject: the envelope has a usage. */
  metered: boolean
  /** At `local`, the subject's user (see `Environment`); absent elsewhere and if it was not recorded. */
  subjectUser?: NonNullable<Environment['subjectUser']>
  /** Exit of the agent of a solved episode; absent = not solved, unknown, or stored before it was a fact. */
  agentExit?: 'ok' | 'failed'
  /** Use of the arm's content by the model; absent = no such content. */
  activation?: Pick<Activation, 'offered' | 'used'>
  /** Absent without a browser, so that stored facts of other episodes stay unchanged. */
  browser?: BrowserFact
  /** Absent for browser workflows and if no contract was evaluated. */
  grading?: Grading
  /** Probability from the contract's `guess`; absent = not recorded. */
  guess?: number
  /** Hashes of the ledger entries that registered its run; absent = the envelope names none. */
  registrations?: readonly Digest[]
  /** Measured by another harness under a plan registered here; absent = not. */
  escrow?: true
  /** Facts that become visible only across episodes; absent in facts from before it was stored. */
  origin?: EpisodeOrigin
  provenance: Provenance
  /** The sender (`../ledger/voucher.ts`); absent = run here, or received before senders were recorded. */
  voucher?: string
  /** The account of the sender; absent = not recorded. Not part of a row's identity. */
  account?: string
  /**
   * The policy in force when it was received; null = received before this was recorded, absent = being received now.
   */
  receivedUnder?: number | null
}

/**
 * Derives the facts from an envelope; provenance is known only to the receiver. The only place that converts results of
 * other programs for rows.
 */
export function episodeFact(episode: AnyEpisode, provenance: Provenance): EpisodeFact {
  return isMeasured(episode)
    ? measuredFact(episode, provenance)
    : { ...sharedFact(episode), ...reportedFact(episode), provenance }
}

function measuredFact(episode: Episode, provenance: Provenance): EpisodeFact {
  const { environment, contract, integrity, fault, activation, usage } = episode
  const implausibleCalls = (usage?.implausible ?? []).reduce((sum, { calls }) => sum + calls, 0)
  const { subjectUser } = environment
  const browser = browserFact(episode)
  const grading = gradingFact(episode)
  return {
    ...sharedFact(episode),
    verdict: contract?.verdict ?? null,
    unpinned: unpinnedFields(episode),
    findings: integrity.findings.length,
    fault: fault && { fired: fault.firedAt !== null, recovered: fault.recovered },
    metered: usage !== null,
    ...(usage?.models && { models: usage.models }),
    ...(usage?.temperatures && { temperaturesSent: usage.temperatures }),
    ...(implausibleCalls > 0 && { implausibleCalls }),
    ...(subjectUser ? { subjectUser } : {}),
    ...(activation && { activation: { offered: activation.offered, used: activation.used } }),
    ...(browser ? { browser } : {}),
    ...(grading ? { grading } : {}),
    ...(contract?.guess === undefined ? {} : { guess: contract.guess }),
    ...(episode.registrations ? { registrations: episode.registrations } : {}),
    origin: originFact(episode),
    provenance,
  }
}

/** Contract, environment and files were not observed here, and the usage is the program's own statement. */
function reportedFact(episode: ReportedEpisode) {
  const { subject, escrow } = episode
  return {
    verdict: escrow?.verdict ?? null,
    unpinned: subject.version ? ['environment'] : ['subject version', 'environment'],
    findings: 0,
    fault: null,
    metered: false,
    ...(escrow && { escrow: true as const, origin: escrowOrigin(episode) }),
  }
}

function sharedFact(episode: AnyEpisode) {
  const { settings, modelObserved, ...subject } = episode.subject
  return {
    episodeId: episode.episodeId,
    runId: episode.runId,
    planDigest: episode.planDigest,
    suiteId: episode.suiteId,
    suiteDigest: episode.suiteDigest,
    taskId: episode.taskId,
    taskDigest: episode.taskDigest,
    category: episode.category,
    repetition: episode.repetition,
    attempt: episode.attempt,
    status: episode.outcome.status,
    failureCategory: episode.failureCategory,
    mode: episode.mode,
    subject,
    settings,
    modelObserved,
    recordingDigest:
      episode.evidence.find((file) => file.role === 'gateway-recording')?.digest ?? null,
    startedAt: episode.startedAt,
    subjectMs: episode.effort.wall.subjectMs,
    totalMs: episode.effort.wall.totalMs,
    steps: episode.effort.steps,
    tokens: totalTokens(episode),
    costMicroUsd: episode.usage?.costMicroUsd ?? null,
    ...agentExitOf(episode),
  }
}

function agentExitOf({ outcome, overallSuccess }: AnyEpisode): Pick<EpisodeFact, 'agentExit'> {
  if (outcome.status !== 'solved' || overallSuccess === null) return {}
  return { agentExit: overallSuccess ? 'ok' : 'failed' }
}

const UNPINNED = /^$|unknown|latest|^[\^~><=*]|\.x\b|\|\|/i

function unpinnedFields(episode: Episode): string[] {
  const { environment, subject } = episode
  const values: Record<string, string | null> = {
    'subject version': subject.version,
    'environment.os': environment.os,
    'environment.kernel': environment.kernel,
    'environment.node': environment.node,
    'environment.harness.version': environment.harness.version,
    ...Object.fromEntries(
      Object.entries(environment.libraries).map(([name, version]) => [`library ${name}`, version]),
    ),
  }
  const fields = Object.keys(values).filter((field) => UNPINNED.test(values[field] ?? ''))
  if (episode.browser && !isExactBrowser(environment.browser)) fields.push('environment.browser')
  const { dirty, commit } = environment.harness
  if (dirty) fields.push('harness (uncommitted changes)')
  // A harness without a commit is not clean, whatever it states about changes.
  else if (dirty === null || commit === null) fields.push('harness commit')
  return fields
}

/** True if the version of the browser has every part: `Chromium 156.0.8078.79`. */
function isExactBrowser(browser: Environment['browser']): boolean {
  return browser !== null && browser.name.trim() !== '' && /^\d+(\.\d+)+$/.test(browser.version)
}

/** Sums input and output tokens; null unless both are known. */
function totalTokens(episode: AnyEpisode): number | null {
  const tokens = episode.usage?.tokens
  if (!tokens || tokens.input === null || tokens.output === null) return null
  return tokens.input + tokens.output
}

/** Facts of a browser episode that rows and reports need in addition to those of every episode. */
export type BrowserFact = Pick<
  BrowserRecord,
  'driven' | 'reuse' | 'connectMs' | 'harnessMs' | 'resultBytes' | 'resultTokens' | 'recovery'
> & {
  /** The library's own part ended with an error, regardless of the contract. */
  libraryError: boolean
  peakPssBytes: number | null
  libraryPeakPssBytes: number | null
  /** The library's own sandbox; absent = sealed or stored before this was recorded. */
  sandbox?: NonNullable<BrowserRecord['reach']>['sandbox']
}

/** Derives the browser facts from an envelope; undefined = no browser took part. */
export function browserFact({ browser }: Pick<EpisodeBody, 'browser'>): BrowserFact | undefined {
  if (!browser) return undefined
  const { driven, reuse, connectMs, harnessMs, resultBytes, resultTokens, recovery } = browser
  return {
    driven,
    reuse,
    connectMs,
    harnessMs,
    resultBytes,
    resultTokens,
    recovery,
    libraryError: browser.libraryError !== null,
    peakPssBytes: browser.processes.peakPssBytes,
    libraryPeakPssBytes: browser.processes.libraryPeakPssBytes,
    ...(browser.reach && { sandbox: browser.reach.sandbox }),
  }
}

/** Both results of grading a solution, and its sandbox. */
export const gradingSchema = z.object({
  /** Types, visible tests and their second run passed. */
  visible: z.boolean(),
  /**
   * The held-out transcript equals the reference's; null = the task has none. One that was not compared did not pass.
   */
  heldOut: z.boolean().nullable(),
  /** Null = the envelope is older than its record of the verifier. */
  verifier: verifierSchema.nullable(),
})
export type Grading = z.infer<typeof gradingSchema>

/**
 * Derives both results from an envelope; undefined for browser workflows and if no contract was evaluated. With a
 * tampering finding, neither counts as passed, since it puts every result in doubt.
 */
export function gradingFact(episode: Episode): Grading | undefined {
  const { contract, integrity, environment, browser } = episode
  if (contract === null || contract.expectedTests === null || browser) return undefined
  const isClean = integrity.findings.length === 0
  const heldOut = contract.assertions.find(({ kind }) => kind === 'held-out')
  const others = contract.assertions.filter((assertion) => assertion !== heldOut)
  const failsByHeldOutAlone =
    heldOut?.verdict === 'fail' && others.every(({ verdict }) => verdict === 'pass')
  return {
    visible: isClean && (contract.verdict === 'pass' || failsByHeldOutAlone),
    heldOut: heldOut ? isClean && heldOut.verdict === 'pass' : null,
    verifier: verifierOf(environment),
  }
}

/** Adjusts both results to a corrected verdict, which says whether all checks passed, not which. */
export function regradedFact(grading: Grading, isPassed: boolean): Grading {
  return { ...grading, visible: isPassed, heldOut: grading.heldOut === null ? null : isPassed }
}

const verifierOf = ({ verifier }: Environment): Grading['verifier'] => verifier ?? null

/** True if a language model drove the subject: it is an agent, or a model was requested or responded. */
export function isLlmDriven({ subject, modelObserved, browser }: EpisodeFact): boolean {
  const isRequested = subject.kind === 'agent' || subject.modelRequested !== null
  return isRequested || modelObserved.length > 0 || browser?.driven === 'llm'
}
