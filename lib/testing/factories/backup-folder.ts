import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeDatabase } from '#lib/db/copy-database.ts'
import { type BackupManifest, backupManifestSchema } from '#lib/domain/archive/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'

export function readManifest(folder: string): BackupManifest {
  return backupManifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
}

/** Updates the manifest after a change of the database, so that the backup stays valid. */
export function resignBackup(folder: string): string {
  const manifest = readManifest(folder)
  const database = join(folder, 'proofboard.db')
  const bytes = readFileSync(database)
  const digest = digestBytes(bytes)
  const files = manifest.files.map((file) =>
    file.path === 'proofboard.db' ? { ...file, digest, bytes: bytes.length } : file,
  )
  const changed = { ...manifest, ...describeDatabase(database), files }
  for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(changed))
  return folder
}
