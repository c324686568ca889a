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
  /** Effect of a commit on the boards; null = it would write nothing, or the upload predates this field. */
  effect: UploadEffect | null
}

/** Effect of an upload on the boards, computed in the same way as the boards. */
export const uploadEffectSchema = z.object({
  boards: z.array(boardEffectSchema),
  /** Reasons why a board's rows are not predicted, one sentence each. */
  left: z.array(z.string()),
})
export type UploadEffect = z.infer<typeof uploadEffectSchema>

/** Identifies the state of the boards that an effect was computed from; a commit against another state is refused. */
export function effectBase({ boards }: UploadEffect): string {
  return boards.map(({ base }) => base).join(' ')
}

export const ITEM_KINDS = ['new', 'duplicate', 'conflict', 'rejected'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]
/** Maximum details of each kind in a preview; counts cover all. */
export const MAX_ITEMS = 200

const count = z.number().int().nonnegative()

const previewItemSchema = z.object({
  kind: z.enum(ITEM_KINDS),
  /** Path in the upload: `episodes.3`, or a path inside an archive. */
  path: z.string(),
  episodeId: z.string().nullable(),
  runId: z.string().nullable(),
  /** `alpha, repetition 2, attempt 1`; null = not read yet. */
  slot: z.string().nullable(),
  outcome: z.string().nullable(),
  /** A problem or a note. */
  message: z.string().nullable(),
})
export type PreviewItem = z.infer<typeof previewItemSchema>

export const previewRunSchema = z.object({
  runId: z.string(),
  /** Null = no plan could be read. */
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

/** Preview of the effects of an upload, as far as known. Nothing has been written yet. */
export const uploadPreviewSchema = z.object({
  format: z.string(),
  /** Null when the upload could not be read; `problem` says why. */
  problem: z.string().nullable(),
  counts: z.object({ new: count, duplicate: count, conflict: count, rejected: count }),
  runs: z.array(previewRunSchema),
  items: z.array(previewItemSchema),
  /** Parts of the upload that are not imported: `count` of all, and the first of them with their reasons. */
  leftOut: z
    .object({ count, runs: z.array(z.object({ path: z.string(), reason: z.string() })) })
    .default({ count: 0, runs: [] }),
  /** Evidence files of the new episodes; `extra` = files of the upload that belong to no episode. */
  evidence: z.object({ matched: count, missing: count, wrong: count, extra: count, added: count }),
  /** Digest of everything that would be written; it changes when the preview does. */
  digest: z.string(),
})
export type UploadPreview = z.infer<typeof uploadPreviewSchema>

/** True if everything can be stored. */
export function canCommit({
  problem,
  counts,
  runs,
}: Pick<UploadPreview, 'problem' | 'counts' | 'runs'>): boolean {
  const isClean = counts.conflict === 0 && counts.rejected === 0
  return problem === null && isClean && runs.every(({ state }) => state !== 'refused')
}
