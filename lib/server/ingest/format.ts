import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ZodError } from 'zod'
import {
  buildReported,
  type IncomingEpisode,
  type IncomingRefusal,
  type ReportedRun,
  type SubmissionDetails,
} from '../../domain/formats/index.ts'
import type {
  AnyEpisode,
  AnyPlan,
  EvidenceFile,
  Shard,
  Subject,
} from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import type { JsonDocument } from './json/parse-strict-json.ts'
import type { ArchiveFiles, StoredFile } from './unpack-archive.ts'

/** A body as a format sees it: the JSON documents of a text, or the files of an archive. */
export type Content =
  | { kind: 'json'; file: string; documents: readonly JsonDocument[] }
  /** Text that is not JSON at all, as XML is. */
  | { kind: 'text'; file: string }
  | { kind: 'archive'; files: ArchiveFiles }

/** One sealed envelope as it came; nothing of it was checked. */
export type IncomingEnvelope = {
  /** Where it is in the upload, for error messages. */
  path: string
  /** May throw an AppError when it is not JSON that we take. */
  read: () => unknown
  /** Its slot if its path names it, as `alpha/r1-a1`: one that was read already is not read again. */
  slot: string | null
}

/** The content of one run, or envelopes of any runs (`runId` null) that name their run themselves. */
export type IncomingRun = {
  path: string
  runId: unknown
  /** Null = none came along: the run has to be known here. */
  plan: unknown
  shard: unknown
  /** What a bundle says besides, by its names, for the bundle's own schema; null = no bundle. */
  rest: Readonly<Record<string, unknown>> | null
  envelopes: readonly IncomingEnvelope[]
  /** An evidence file that came along; null = nothing can come along with this format. */
  findEvidence: ((episode: AnyEpisode, path: string) => StoredFile | undefined) | null
  /** Notes for the preview, one sentence each. */
  notes?: readonly string[]
  /**
   * True for records of a program that repeats its runs from file to file: one that cannot be stored is left out, by
   * name, instead of failing the upload, and two of the same run may differ in everything but what both state.
   */
  isRepeatable?: boolean
}

/** A run of the upload that is not taken: where it is, and why. The others are. */
export type LeftOut = { path: string; reason: string }

/** A way results are written down. To add one: a file in `formats/` and a line in `recognise.ts`. */
export type Format = {
  id: string
  /** As a sentence names it: `a result bundle`. */
  title: string
  detect: (content: Content) => boolean
  /** Python wrote it: its numbers may be NaN, infinite, or longer than can be held. */
  isLoose?: boolean
  /** Runs one after the other, so that a large archive is never in memory whole. */
  toRuns: (
    content: Content,
    staging: StagingFolder,
  ) => AsyncIterable<IncomingRun | LeftOut> | Iterable<IncomingRun>
}

/** The file of each named piece of evidence. Two may have the same bytes: each has a file of its own. */
type ReportedFiles = ReadonlyMap<EvidenceFile, StoredFile>

/** A run that another program reported, ready for the same checks as any other; `path` = where it is. */
export function reportedToRun(
  path: string,
  reported: ReportedRun,
  files: ReportedFiles,
  notes: readonly string[] = [],
): IncomingRun {
  const { runId, plan, attempts } = orRefuse(() => buildReported(reported))
  const evidence = new Map(
    reported.attempts.flatMap(({ evidence, repetition }, index) =>
      evidence.map((file) => [
        `${attempts[index]?.taskId}/${repetition}/${file.path}`,
        files.get(file),
      ]),
    ),
  )
  return {
    path,
    runId,
    plan,
    shard: null,
    rest: null,
    envelopes: attempts.map(({ seal }, index) => ({
      path: `${path}${reported.attempts[index]?.recordName}`,
      read: () => orRefuse(seal),
      slot: null,
    })),
    findEvidence: ({ taskId, repetition }, name) => evidence.get(`${taskId}/${repetition}/${name}`),
    notes: [describeUnreported(reported), ...notes],
  }
}

/** What `make` gives; throws an AppError where a value of the record is outside of what an envelope or plan can hold. */
function orRefuse<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ZodError)) throw error
    const [issue] = error.issues
    const message = `the record has a value that cannot be stored: ${issue?.path.join('.') || 'it'}: ${issue?.message}`
    throw new AppError('invalid-episode', message, { cause: error })
  }
}

function describeUnreported({ harness, untold }: ReportedRun): string {
  const program = [harness.name, harness.version].filter(Boolean).join(' ')
  return `${program} did not report: ${untold.join(', ')}. These values stay unknown, so the entry cannot be ranked.`
}

/** Where a format that another program wrote puts evidence together; the folder goes with the commit or preview. */
export class StagingFolder {
  readonly details: SubmissionDetails
  readonly #folder: string
  #count = 0

  constructor(folder: string, details: SubmissionDetails) {
    this.#folder = folder
    this.details = details
  }

  /** A text as a file that can be stored. */
  async keepText(text: string): Promise<StoredFile> {
    const file = await this.#place()
    await writeFile(file, text, { mode: 0o600 })
    return { file, sizeBytes: Buffer.byteLength(text), digest: digestOf(text) }
  }

  /** The upload itself as a file that can be stored: its own may be looked at again, so it stays where it is. */
  async keepUpload(upload: string): Promise<StoredFile> {
    const file = await this.#place()
    await link(upload, file).catch(() => copyFile(upload, file))
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk)
    const { size: sizeBytes } = await stat(file)
    return { file, sizeBytes, digest: `sha256:${hash.digest('hex')}` }
  }

  async #place(): Promise<string> {
    await mkdir(this.#folder, { recursive: true })
    return join(this.#folder, String(this.#count++))
  }
}

function digestOf(text: string): StoredFile['digest'] {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

/** A stored file as an envelope names it. */
export function asEvidence(
  { digest, sizeBytes }: StoredFile,
  role: EvidenceFile['role'],
  path: string,
): EvidenceFile {
  return { role, path, digest, sizeBytes, droppedBytes: 0 }
}

export function onlyDocument(content: Content) {
  if (content.kind !== 'json' || content.documents.length !== 1) return null
  const [document] = content.documents
  return document?.kind === 'object' ? document : null
}

/** One evidence file of an episode that was received whole: its path next to the envelope, and where it is now. */
export type MatchedFile = { path: string; stored: StoredFile }

/** A run of an upload, read whole, whether or not it is stored here already. */
export type InspectedRun = {
  runId: string
  path: string
  plan: AnyPlan
  /** The upload includes a plan; false = the stored one was used. */
  hasOwnPlan: boolean
  shard: Shard | null
  /** `reported`: not known so far, and reported whole by the plan of another program: it is stored with the run. */
  suite: 'current' | 'earlier' | 'unknown' | 'reported'
  episodes: IncomingEpisode[]
  subjects: Map<string, Subject>
  notes: string[]
}

/** The contents of an upload, validated as far as possible without the stored episodes. */
export type Inspected = {
  format: string
  runs: InspectedRun[]
  rejected: (IncomingRefusal & { runId: string | null })[]
  leftOut: LeftOut[]
  /** Evidence by episode. */
  files: Map<string, MatchedFile[]>
  evidence: { wrong: number; extra: number }
}
