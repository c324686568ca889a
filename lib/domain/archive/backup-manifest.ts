import { z } from 'zod'
import { digestSchema, relativePathSchema } from '../record/index.ts'

export const BACKUP_KIND = 'proofboard-backup'

const count = z.number().int().nonnegative()

/** `manifest.json` of a backup: its contents, of which state, and every other file with its digest and size. */
export const backupManifestSchema = z.object({
  kind: z.literal(BACKUP_KIND),
  schemaVersion: z.literal(1),
  /** The Proofboard that wrote it. */
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
  /** The ledger's last entry, to be compared with one noted elsewhere; null = it is empty. */
  ledgerHead: z.object({ sequence: count, hash: z.string().max(100) }).nullable(),
  holds: z.object({ evidence: z.boolean(), authSecret: z.boolean() }),
  /** Evidence that the database names and that was not there, or was not what was sealed. */
  lacks: z.array(z.object({ path: relativePathSchema, problem: z.string().max(300) })),
  files: z.array(z.object({ path: relativePathSchema, digest: digestSchema, bytes: count })),
})
export type BackupManifest = z.infer<typeof backupManifestSchema>
export type BackupFile = BackupManifest['files'][number]
