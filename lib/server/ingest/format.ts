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
import type { JsonDocument } from './json/json-document.ts'
import type { ArchiveFiles, StoredFile } from './unpack-archive.ts'

/** Content of a body: the JSON documents of a text, or the files of an archive. */
export type Content =
  | { kind: 'json'; file: string; documents: readonly JsonDocument[] }
  /** Text other than JSON, such as XML. */
  | { kind: 'text'; file: string }
  | { kind: 'archive'; files: ArchiveFiles }

/** A sealed envelope as received, not yet checked. */
export type IncomingEnvelope = {
  /** Position in the upload, for error messages. */
  path: string
  /** Parses it. May throw an AppError when it is not acceptable JSON. */
  read: () => unknown
  /** Its slot if its path contains it, as `alpha/r1-a1`, so that one read already is not read again. */
  slot: string | null
}

/** The content of one run, or envelopes of any runs (`runId` null) that name their run themselves. */
export type IncomingRun = {
  path: string
  runId: unknown
  /** Null = not included: the run has to be stored here. */
  plan: unknown
  shard: unknown
  /** Other fields of a bundle by name, for the bundle's own schema; null = not a bundle. */
  rest: Readonly<Record<string, unknown>> | null
  envelopes: readonly IncomingEnvelope[]
  /** Finds an uploaded evidence file; null = this format cannot contain any. */
  findEvidence: ((episode: AnyEpisode, path: string) => StoredFile | undefined) | null
  /** Notes for the preview, one sentence each. */
  notes?: readonly string[]
  /**
   * True for records of a program that repeats its runs in several files: one that cannot be stored is listed as left
   * out instead of failing the upload, and two records of a run only have to agree in what both contain.
   */
  isRepeatable?: boolean
  /** Its format checked it against the plan of its registration; the start of the job. Absent = it is not in escrow. */
  escrowedAt?: string
}

/** A run of the upload that is left out, with its position and the reason. The others are stored. */
export type LeftOut = { path: string; reason: string }

/** A format of results. To add one: a file in `formats/` and a line in `recognise.ts`. */
export type Format = {
  id: string
  /** Name in sentences: `a result bundle`. */
  title: string
  detect: (content: Content) => boolean
  /** Written by Python: its numbers may be NaN, infinite, or longer than a JavaScript number. */
  isLoose?: boolean
  /** Yields one run at a time, so that a large archive is never in memory completely. */
  toRuns: (
    content: Content,
    staging: StagingFolder,
  ) => AsyncIterable<IncomingRun | LeftOut> | Iterable<IncomingRun>
}

/** Files of evidence by name. Two with the same bytes are two files. */
type ReportedFiles = ReadonlyMap<EvidenceFile, StoredFile>

/** Converts a run of another program for the same checks as any other; `path` = its position. */
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

/**
 * Returns the result of `make`. Throws an AppError when a value of the record cannot be represented in an envelope or
 * plan.
 */
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

/** Folder in which another program's format assembles evidence; removed with the commit or preview. */
export class StagingFolder {
  readonly details: SubmissionDetails
  readonly #folder: string
  #count = 0

  constructor(folder: string, details: SubmissionDetails) {
    this.#folder = folder
    this.details = details
  }

  /** Writes a text as a file that can be stored. */
  async keepText(text: string): Promise<StoredFile> {
    const file = await this.#place()
    await writeFile(file, text, { mode: 0o600 })
    return { file, sizeBytes: Buffer.byteLength(text), digest: digestOf(text) }
  }

  /** Copies the upload itself as a file that can be stored: the original stays, because it may be read again. */
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

/** Returns a stored file as an envelope names it. */
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
  return document?.outline.kind === 'object' ? document : null
}

/** A received evidence file: its path next to the envelope, and its current location. */
export type MatchedFile = { path: string; stored: StoredFile }

/** A completely read run of an upload, stored here already or not. */
export type InspectedRun = {
  runId: string
  path: string
  plan: AnyPlan
  /** The upload includes a plan; false = the stored one was used. */
  hasOwnPlan: boolean
  shard: Shard | null
  /** `reported`: unknown so far, and completely described by the plan of another program, so stored with the run. */
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
