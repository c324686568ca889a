import { z } from 'zod'
import type { Verdict } from '../contract.ts'
import type { Digest } from '../digest.ts'
import type { Environment } from '../environment.ts'
import { type Episode, isMeasured, type Mode } from '../episode.ts'
import type { FailureCategory } from '../failure-category.ts'
import type { OutcomeStatus } from '../outcome.ts'
import type { ReportedSettings } from '../plan.ts'
import type { Subject } from '../subject.ts'
import { type BrowserFact, browserFact } from './browser-fact.ts'
import { type Grading, gradingFact } from './grading-fact.ts'
import { type Origin, originFact } from './origin-fact.ts'

/** Who vouches for an episode, weakest first (evidence.md, provenance levels). */
export const PROVENANCE_LEVELS = ['manual', 'token', 'oidc', 'local'] as const
export const provenanceSchema = z.enum(PROVENANCE_LEVELS)
export type Provenance = z.infer<typeof provenanceSchema>

/** The few facts of a sealed episode that rows, eligibility and statistics need; all derived from the envelope. */
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
  settings: ReportedSettings
  modelObserved: readonly string[]
  /** Names of environment fields that are unpinned: missing, "unknown", a range, a dirty harness. */
  unpinned: readonly string[]
  findings: number
  recordingDigest: Digest | null
  fault: { fired: boolean; recovered: boolean | null } | null
  startedAt: string
  /** Null = another program told of the episode, and not how long it took. */
  subjectMs: number | null
  totalMs: number | null
  steps: number | null
  tokens: number | null
  costMicroUsd: number | null
  /** Somebody who is not the subject counted what its model used: the envelope holds a usage. */
  metered: boolean
  /** At `local`, whose user the subject was (see `Environment`); absent elsewhere and where nobody recorded it. */
  subjectUser?: NonNullable<Environment['subjectUser']>
  /** Absent unless a browser was part of the episode, so that what is kept of all others stays as it is. */
  browser?: BrowserFact
  /** Absent for browser workflows and where no contract was evaluated. */
  grading?: Grading
  /** What cannot be told from one episode alone; absent in facts of before it was kept. */
  origin?: Origin
  provenance: Provenance
  /** Who sent it (`../voucher.ts`); absent = run here, or received before senders were recorded. */
  voucher?: string
  /** The policy in force when it came in; null = received before that was recorded, absent = it comes in now. */
  receivedUnder?: number | null
}

/** Reads the facts out of an envelope; provenance is known only to whoever received it. */
export function episodeFact(episode: Episode, provenance: Provenance): EpisodeFact {
  const { settings, modelObserved, ...subject } = episode.subject
  const browser = browserFact(episode)
  const subjectUser = episode.environment?.subjectUser
  const grading = gradingFact(episode)
  const origin = originFact(episode)
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
    verdict: episode.contract?.verdict ?? null,
    subject,
    settings,
    modelObserved,
    unpinned: unpinnedFields(episode),
    findings: episode.integrity?.findings.length ?? 0,
    recordingDigest:
      episode.evidence.find((file) => file.role === 'gateway-recording')?.digest ?? null,
    fault: episode.fault && {
      fired: episode.fault.firedAt !== null,
      recovered: episode.fault.recovered,
    },
    startedAt: episode.startedAt,
    subjectMs: episode.effort.wall.subjectMs,
    totalMs: episode.effort.wall.totalMs,
    steps: episode.effort.steps,
    tokens: totalTokens(episode),
    costMicroUsd: episode.usage?.costMicroUsd ?? null,
    metered: episode.usage !== null && isMeasured(episode),
    ...(subjectUser ? { subjectUser } : {}),
    ...(browser ? { browser } : {}),
    ...(grading ? { grading } : {}),
    ...(origin ? { origin } : {}),
    provenance,
  }
}

const UNPINNED = /^$|unknown|latest|^[\^~><=*]|\.x\b|\|\|/i

function unpinnedFields(episode: Episode): string[] {
  const { environment, subject } = episode
  if (environment === null)
    return subject.version ? ['environment'] : ['subject version', 'environment']
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
  // A harness that names no commit is not clean, whatever it says of changes.
  else if (dirty === null || commit === null) fields.push('harness commit')
  return fields
}

/** A browser that took part is named with every part of its version: `Chromium 156.0.8078.79`. */
function isExactBrowser(browser: Environment['browser']): boolean {
  return browser !== null && browser.name.trim() !== '' && /^\d+(\.\d+)+$/.test(browser.version)
}

/** Input and output tokens together; null unless both are known. */
function totalTokens(episode: Episode): number | null {
  const tokens = episode.usage?.tokens
  if (!tokens || tokens.input === null || tokens.output === null) return null
  return tokens.input + tokens.output
}
