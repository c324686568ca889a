import type { Episode } from '#lib/domain/episode.ts'
import type { StoredFile } from './body/stored-file.ts'
import type { ArchiveFiles } from './body/unpack-archive.ts'
import type { Desk } from './desk.ts'
import type { JsonDocument } from './json/json-document.ts'

/** A body as a format sees it: the JSON documents of a text, or the files of an archive. */
export type Content =
  | { kind: 'json'; file: string; documents: readonly JsonDocument[] }
  /** Text that is not JSON at all, as XML is. */
  | { kind: 'text'; file: string }
  | { kind: 'archive'; files: ArchiveFiles }

/** One sealed envelope as it came; nothing of it was checked. */
export type IncomingEnvelope = {
  /** Where it stands in the upload, for whoever has to find it. */
  path: string
  /** May throw an AppError when it is not JSON that we take. */
  read: () => unknown
  /** Its slot if its place tells it, as `alpha/r1-a1`: one that was read already is not read again. */
  slot: string | null
}

/** What came of one run, or envelopes of any runs (`runId` null) that say themselves where they belong. */
export type IncomingRun = {
  path: string
  runId: unknown
  /** Null = none came along: the run has to be known here. */
  plan: unknown
  shard: unknown
  /** What a bundle says besides, by its names, for the bundle's own schema. */
  rest: Readonly<Record<string, unknown>>
  envelopes: readonly IncomingEnvelope[]
  /** An evidence file that came along; null = nothing can come along with this format. */
  findEvidence: ((episode: Episode, path: string) => StoredFile | undefined) | null
  /** What whoever looks it through should know of it, one sentence each. */
  notes?: readonly string[]
}

/** A way results are written down. To add one: a file in `formats/` and a line in `formats.ts`. */
export type Format = {
  id: string
  /** As a sentence names it: `a result bundle`. */
  title: string
  detect: (content: Content) => boolean
  /** Runs one after the other, so that a large archive is never in memory whole. */
  toRuns: (content: Content, desk: Desk) => AsyncIterable<IncomingRun> | Iterable<IncomingRun>
}
