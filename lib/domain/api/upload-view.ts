import { z } from 'zod'
import { boardEffectSchema } from '../board/index.ts'

export type UploadState = 'previewed' | 'committed' | 'discarded'

/** An uploaded file. Its name is untrusted text. */
export type UploadView = {
  id: string
  fileName: string
  bytes: number
  state: UploadState
  createdBy: string
  createdAt: string
  committedAt: string | null
  preview: UploadPreview
  /** What a commit would do to the boards; null = it would write nothing, or the upload is older than this. */
  effect: UploadEffect | null
}

/** What an upload does to the boards, computed as they themselves are. */
export const uploadEffectSchema = z.object({
  boards: z.array(boardEffectSchema),
  /** Why a board's rows are not foreseen, one sentence each. */
  left: z.array(z.string()),
})
export type UploadEffect = z.infer<typeof uploadEffectSchema>

/** Names the state of the boards that an effect was computed from; a commit refuses another one. */
export function effectBase({ boards }: UploadEffect): string {
  return boards.map(({ base }) => base).join(' ')
}

export const ITEM_KINDS = ['new', 'duplicate', 'conflict', 'rejected'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]
/** Details that a preview keeps of each kind; counts are of all. */
export const MAX_ITEMS = 200

const count = z.number().int().nonnegative()

const previewItemSchema = z.object({
  kind: z.enum(ITEM_KINDS),
  /** Where it is in the upload: `episodes.3`, or a path inside an archive. */
  path: z.string(),
  episodeId: z.string().nullable(),
  runId: z.string().nullable(),
  /** `alpha, repetition 2, attempt 1`; null = it could not be read so far. */
  slot: z.string().nullable(),
  outcome: z.string().nullable(),
  /** What is wrong, or worth knowing. */
  message: z.string().nullable(),
})
export type PreviewItem = z.infer<typeof previewItemSchema>

export const previewRunSchema = z.object({
  runId: z.string(),
  /** Null = there is no plan that could be read. */
  planDigest: z.string().nullable(),
  suiteId: z.string().nullable(),
  subject: z.string().nullable(),
  planned: count.nullable(),
  shard: z.string().nullable(),
  state: z.enum(['new', 'known', 'refused']),
  /** `unknown`: the run is stored and has a page, but no board shows it until this version of its suite is known here.
   * `reported`: another program's tasks, which are added with the run. */
  suite: z
    .enum(['current', 'earlier', 'unknown', 'reported'])
    // As stored by earlier versions.
    .or(z.literal('told').transform(() => 'reported' as const))
    .nullable(),
  counts: z.object({ new: count, duplicate: count, conflict: count, rejected: count }),
  notes: z.array(z.string()),
})
export type PreviewRun = z.infer<typeof previewRunSchema>

/** What an upload would write, as far as known; nothing has been written yet. */
export const uploadPreviewSchema = z.object({
  format: z.string(),
  /** Null when the upload could not be read at all; `problem` says why. */
  problem: z.string().nullable(),
  counts: z.object({ new: count, duplicate: count, conflict: count, rejected: count }),
  runs: z.array(previewRunSchema),
  items: z.array(previewItemSchema),
  /** What the upload has and what is not taken from it: `count` of everything, the first of them with their reasons. */
  leftOut: z
    .object({ count, runs: z.array(z.object({ path: z.string(), reason: z.string() })) })
    .default({ count: 0, runs: [] }),
  /** Of the new episodes' evidence files; `extra` = files of the upload that belong to no episode. */
  evidence: z.object({ matched: count, missing: count, wrong: count, extra: count, added: count }),
  /** Digest of everything that would be written; it changes when the preview does. */
  digest: z.string(),
})
export type UploadPreview = z.infer<typeof uploadPreviewSchema>

/** Whether a commit would write it: everything can be stored. */
export function canCommit({
  problem,
  counts,
  runs,
}: Pick<UploadPreview, 'problem' | 'counts' | 'runs'>): boolean {
  const isClean = counts.conflict === 0 && counts.rejected === 0
  return problem === null && isClean && runs.every(({ state }) => state !== 'refused')
}
