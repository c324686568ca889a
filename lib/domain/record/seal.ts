import {
  canonicalJson,
  canonicalMembers,
  digestBytes,
  digestJson,
  joinMembers,
} from '../digest/index.ts'
import { formatIssues, type ParseResult, type Problem, refuseInput } from '../text/index.ts'
import {
  type AnyEpisode,
  isMeasured,
  REPORTED_SCHEMA_VERSION,
  type ReportedBody,
  type ReportedEpisode,
  readAnyEpisode,
  reportedBodySchema,
} from './any-record.ts'
import { type Episode, type EpisodeBody, episodeBodySchema } from './episode.ts'
import { findContradictions, findReportedContradictions } from './find-contradictions.ts'
import type { Subject } from './subject.ts'

type EpisodeIdentity = Pick<
  EpisodeBody,
  'planDigest' | 'taskDigest' | 'repetition' | 'attempt' | 'runId'
> & { subject: Subject }

/**
 * Returns the episode's id: a digest of run, plan, task, subject, repetition and attempt. It includes the run because a
 * plan may be executed twice, giving separate episodes.
 */
export function identifyEpisode(identity: EpisodeIdentity): string {
  const { runId, planDigest, taskDigest, repetition, attempt } = identity
  const { name, version, modelRequested } = identity.subject
  const digest = digestJson({
    runId,
    planDigest,
    taskDigest,
    repetition,
    attempt,
    name,
    version,
    modelRequested,
  })
  return `ep_${digest.slice('sha256:'.length, 'sha256:'.length + 32)}`
}

/** Checks a body against the schema and seals it. Throws on an invalid body, which is a bug in this program. */
export function sealEpisode(body: EpisodeBody): Episode {
  const parsed = episodeBodySchema.parse(body)
  return { ...parsed, seal: digestJson(parsed) }
}

/** Seals a reported episode in the same way. */
export function sealReported(body: ReportedBody): ReportedEpisode {
  const parsed = reportedBodySchema.parse(body)
  return { ...parsed, seal: digestJson(parsed) }
}

/** Computed when a seal is checked, and used again when the envelope is stored. */
const texts = new WeakMap<AnyEpisode, string>()

/** True if no byte covered by the seal was changed. */
function isSealIntact(episode: AnyEpisode): boolean {
  const members = canonicalMembers(episode)
  const text = joinMembers(members)
  texts.set(episode, text)
  return digestBytes(leaveSealOut(text, members)) === episode.seal
}

/** Cut out of the whole text, because joining the other members again takes far longer. */
function leaveSealOut(text: string, members: readonly string[]): string {
  const at = members.findIndex((member) => member.startsWith('"seal":'))
  const before = members.slice(0, at).reduce((sum, { length }) => sum + length + 1, 0)
  const end = before + (members[at]?.length ?? 0) + 1
  // Includes the comma before it: `agentSuccess` is always the first member.
  return text.slice(0, before) + text.slice(end)
}

/** The canonical bytes of a sealed envelope. */
export function sealedText(episode: AnyEpisode): string {
  return texts.get(episode) ?? canonicalJson(episode)
}

/** Parses an envelope from disk or network: upgrade, schema, seal, identity, consistency. Never throws on bad input. */
export function parseAnyEpisode(input: unknown): ParseResult<AnyEpisode> {
  const upgraded = upgradeEpisode(input)
  if (!upgraded.ok) return upgraded
  const parsed = readAnyEpisode(upgraded.value)
  if (!parsed.success) return { ok: false, problems: formatIssues(parsed.error.issues) }
  const episode = parsed.data
  if (!isSealIntact(episode)) {
    return refuseInput(
      'the seal does not match the content: the file was changed after it was sealed',
      'seal',
    )
  }
  if (identifyEpisode(episode) !== episode.episodeId) {
    return refuseInput(
      'is not the digest of this run, plan, task, subject, repetition and attempt',
      'episodeId',
    )
  }
  const problems = isMeasured(episode)
    ? findContradictions(episode)
    : findReportedContradictions(episode)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: episode }
}

/** Parses an envelope of Proofboard's runner; reported envelopes are refused. */
export function parseEpisode(input: unknown): ParseResult<Episode> {
  const parsed = parseAnyEpisode(input)
  if (!parsed.ok) return parsed
  if (isMeasured(parsed.value)) return { ok: true, value: parsed.value }
  return refuseInput('was reported by another program, not measured by this one', 'schemaVersion')
}

/**
 * Upgrades an older envelope. Version 1 is what Proofboard's runner measures, and is stored and checked byte for byte
 * as sealed; version 2 only adds what reported episodes need, so older envelopes need no change. A newer version is
 * refused by name instead of by a list of unknown fields.
 */
function upgradeEpisode(input: unknown): ParseResult<unknown> {
  if (readVersion(input) === null)
    return refuseInput('missing: this is not an episode envelope', 'schemaVersion')
  const newer = findNewerVersion(input)
  return newer ? { ok: false, problems: [newer] } : { ok: true, value: input }
}

/** Reports an envelope or bundle of a newer version; null = not newer. */
export function findNewerVersion(input: unknown): Problem | null {
  const version = readVersion(input)
  if (version === null || version <= REPORTED_SCHEMA_VERSION) return null
  const message = `version ${version} is newer than this program reads (${REPORTED_SCHEMA_VERSION}): update Proofboard`
  return { path: 'schemaVersion', message }
}

function readVersion(input: unknown): number | null {
  if (typeof input !== 'object' || input === null || !('schemaVersion' in input)) return null
  return typeof input.schemaVersion === 'number' ? input.schemaVersion : null
}
