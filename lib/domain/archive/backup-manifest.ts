import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { relativePathSchema } from '../record/index.ts'

export const BACKUP_KIND = 'proofboard-backup'

const count = z.number().int().nonnegative()

/** `manifest.json` of a backup: its contents, the state it shows, and every other file with digest and size. */
export const backupManifestSchema = z.object({
  kind: z.literal(BACKUP_KIND),
  schemaVersion: z.literal(1),
  /** Version of the Proofboard that wrote it. */
  version: z.string().max(60),
  createdAt: z.iso.datetime(),
  /** The database's migrations, oldest first. */
  migrations: z.array(z.string().max(200)),
  counts: z.object({
    runs: count,
    episodes: count,
    ledgerEntries: count,
    jobs: count,
    users: count,
  }),
  /** The ledger's last entry, to compare with a copy noted elsewhere; null = the ledger is empty. */
  ledgerHead: z.object({ sequence: count, hash: z.string().max(100) }).nullable(),
  /** `ledgerKey` absent = written by an earlier version; the list of files says so. */
  holds: z.object({
    evidence: z.boolean(),
    authSecret: z.boolean(),
    ledgerKey: z.boolean().optional(),
  }),
  /** Ids of the keys that signed heads of the ledger. */
  ledgerKeys: z.array(digestSchema).default([]),
  /** Evidence files that are not in the backup: their directories, if only those of some episodes are left out. */
  leftOut: z
    .object({ files: count, bytes: count, directories: z.array(relativePathSchema) })
    .default({ files: 0, bytes: 0, directories: [] }),
  /** Evidence that the database names and that was missing, or differed from what was sealed. */
  lacks: z.array(z.object({ path: relativePathSchema, problem: z.string().max(300) })),
  files: z.array(z.object({ path: relativePathSchema, digest: digestSchema, bytes: count })),
})
export type BackupManifest = z.infer<typeof backupManifestSchema>
export type BackupFile = BackupManifest['files'][number]
