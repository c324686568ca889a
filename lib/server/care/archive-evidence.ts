import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { listPrunedNotes } from '#lib/db/read-stored.ts'
import type { Flaw } from '#lib/domain/archive/index.ts'
import { evidenceFileSchema } from '#lib/domain/record/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { EVIDENCE_FLAWS, evidenceRef } from '../evidence/evidence-store.ts'
import { fileJudge, type JudgeFile } from '../evidence/judge-file.ts'
import { listFiles } from './list-files.ts'
import type { Server } from './parse-rows.ts'
import { withStoredFile } from './with-stored-file.ts'

/** Evidence folder of an archive: `evidence/RUN/EPISODE/path`. */
export const EVIDENCE_FOLDER = 'evidence'

/**
 * A file that an episode's seal names. `state`: `kept` on the server, `pruned` by retention, `absent` because it was
 * never received or is lost.
 */
const archivedEvidenceSchema = evidenceFileSchema.extend({
  episodeId: z.string().regex(/^ep_[0-9a-f]{32}$/),
  // Archives from before this was recorded have no state.
  state: z.enum(['kept', 'pruned', 'absent']).optional(),
  pruned: z.object({ prunedAt: z.string(), reason: z.string() }).optional(),
})
type ArchivedEvidence = z.infer<typeof archivedEvidenceSchema>

export type EvidenceOfRuns = ReadonlyMap<string, readonly ArchivedEvidence[]>

/** Lists names, digests and sizes of every episode's files, and whether they still exist. */
export async function listServerEvidence({ episodes, dataDir }: Server): Promise<EvidenceOfRuns> {
  const notes = await withStoredFile(dataDir, listPrunedNotes)
  const sizeOf = await evidenceStore(dataDir).sizes()
  const runs = new Map<string, ArchivedEvidence[]>()
  for (const { episode, directory } of episodes) {
    const files = runs.get(episode.runId) ?? []
    runs.set(episode.runId, files)
    for (const file of episode.evidence) {
      const named = { episodeId: episode.episodeId, ...file }
      const ref = evidenceRef(directory, file)
      const isKept = ref !== null && (await sizeOf(ref)) !== null
      const note = notes.get(ref?.place ?? '')
      files.push(isKept ? { ...named, state: 'kept' } : describeGone(named, note))
    }
  }
  return runs
}

function describeGone(
  file: Omit<ArchivedEvidence, 'state' | 'pruned'>,
  pruned: ArchivedEvidence['pruned'],
): ArchivedEvidence {
  return pruned ? { ...file, state: 'pruned', pruned } : { ...file, state: 'absent' }
}

/** Invalid evidence files of a server, and the number of those that are not in its data folder. */
type EvidenceFound = { flaws: Flaw[]; elsewhere: number }

/**
 * Checks every evidence file of a server. Missing files of uploaded results are not a flaw: an upload may contain only
 * some of its files.
 */
export async function checkServerEvidence(
  { episodes, dataDir }: Server,
  judge?: JudgeFile,
): Promise<EvidenceFound> {
  const judgeFile = judge ?? fileJudge(await withStoredFile(dataDir, listPrunedNotes), dataDir)
  const found: EvidenceFound = { flaws: [], elsewhere: 0 }
  for (const { ref, directory, provenance } of episodes.flatMap(listRefs)) {
    const state = await judgeFile(ref, directory)
    if (state === 'elsewhere') found.elsewhere++
    if (state === 'altered' || (state === 'missing' && provenance === 'local'))
      found.flaws.push({ place: ref.place, problem: EVIDENCE_FLAWS[state] })
  }
  return found
}

function listRefs({ episode, directory, provenance }: Server['episodes'][number]) {
  if (directory === null) return []
  const refs = episode.evidence.flatMap((file) => evidenceRef(directory, file) ?? [])
  return refs.map((ref) => ({ ref, directory, provenance }))
}

/** Copies every stored file into an archive. Throws for a file that differs from what was sealed. */
export async function copyEvidence({ episodes, dataDir }: Server, archive: string): Promise<void> {
  const store = evidenceStore(dataDir)
  for (const { episode, directory } of episodes) {
    const { runId, episodeId, evidence } = episode
    for (const file of evidence) {
      const ref = evidenceRef(directory, file)
      const place = join(archive, EVIDENCE_FOLDER, runId, episodeId, file.path)
      const copied = ref && (await store.copy(ref, place, { isPublic: true }))
      if (!ref || !copied || copied.digest === file.digest) continue
      const message = `${ref.place} is not the file that ${episodeId} was sealed with; see proofboard server retention --verify`
      throw new AppError('conflict', message)
    }
  }
}

/** Checks the evidence of an archive, if it has any, file by file against its lists. */
export function checkArchivedEvidence(archive: string, texts: ReadonlyMap<string, string>): Flaw[] {
  const root = join(archive, EVIDENCE_FOLDER)
  if (!existsSync(root)) return []
  const lists = [...texts].flatMap(([path, text]) => {
    const [, runId] = LIST.exec(path) ?? []
    return runId ? [{ path, runId, files: readList(text) }] : []
  })
  const named = lists.flatMap(({ runId, files }) =>
    (files ?? []).map((file) => ({ ...file, place: `${runId}/${file.episodeId}/${file.path}` })),
  )
  const known = new Set(named.map(({ place }) => place))
  const unlisted = listFiles(root).filter((path) => !known.has(path))
  return [
    ...lists
      .filter(({ files }) => files === null)
      .map(({ path }) => ({ place: path, problem: 'is not a list of evidence' })),
    ...named.flatMap((file) => checkFile(root, file)),
    ...unlisted.map((path) => ({ place: `evidence/${path}`, problem: 'belongs to no episode' })),
  ]
}

const LIST = /^runs\/([^/]+)\/evidence\.json$/

function readList(text: string): ArchivedEvidence[] | null {
  return archivedEvidenceSchema.array().safeParse(parseJson(text)).data ?? null
}

function checkFile(root: string, file: ArchivedEvidence & { place: string }): Flaw[] {
  const place = `evidence/${file.place}`
  if (file.state !== 'kept') return []
  if (!isFile(join(root, file.place))) return [{ place, problem: 'is missing' }]
  if (digestFile(join(root, file.place)) === file.digest) return []
  return [{ place, problem: 'is not the file that was sealed' }]
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

const PIECE = 1 << 20

function digestFile(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(PIECE)
  const handle = openSync(path, 'r')
  try {
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece))
      hash.update(piece.subarray(0, read))
  } finally {
    closeSync(handle)
  }
  return `sha256:${hash.digest('hex')}`
}

export const EXPORT_MANIFEST = 'manifest.json'
