import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { checkMigrated } from '#lib/db/migrate.ts'
import { MIGRATIONS_DIR, writeMigrated } from '#lib/testing/factories/temporary-database.ts'
import { BACKUP_MANIFEST } from './backup-folders.ts'
import { verifyBackup } from './verify-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-closed-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PLAIN_UID = 65_534

/** Runs as a user without access to the folder: root has access to all. */
function asAnother<T>(work: () => T): T {
  chmodSync(folder, 0)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(PLAIN_UID)
  try {
    return work()
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(folder, 0o700)
  }
}

it('a folder that is closed to this user is not called empty', async () => {
  const file = join(folder, 'proofboard.db')
  writeMigrated(file)
  writeFileSync(join(folder, BACKUP_MANIFEST), '{}')
  const data = 'cannot be read by this user'
  expect(() => asAnother(() => checkMigrated(file, MIGRATIONS_DIR))).toThrow(data)
  await expect(asAnother(() => verifyBackup(folder))).rejects.toThrow(data)
  expect(() => checkMigrated(file, MIGRATIONS_DIR)).not.toThrow()
  await expect(verifyBackup(folder)).rejects.toThrow('is not a backup')
})
