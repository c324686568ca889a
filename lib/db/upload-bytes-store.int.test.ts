import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import {
  removeStrayBytes,
  removeUploadBytes,
  restoreUploadBytes,
  shareUploadBytes,
} from './upload-bytes-store.ts'

const ID = 'up_000000000000000000000001'
/** Several parts, the last one partly filled. */
const BYTES = randomBytes(2_000_000)

let temporary: TemporaryDatabase
let file: string
beforeEach(async () => {
  temporary = await temporaryDatabase()
  file = join(temporary.dir, 'sent')
  writeFileSync(file, BYTES)
})
afterEach(() => temporary.close())

const elsewhere = () => join(temporary.dir, 'other-host', ID)

it('are the same on another host, also for two requests at once', {
  tags: 'on-postgresql',
}, async () => {
  const { db } = temporary
  await shareUploadBytes(db, ID, file)
  const restored = [1, 2].map(() => restoreUploadBytes(db, ID, elsewhere()))
  expect(await Promise.all(restored)).toEqual([true, true])
  expect(readFileSync(elsewhere()).equals(BYTES)).toBe(true)
  expect(readdirSync(join(temporary.dir, 'other-host'))).toEqual([ID])
})

it('are nowhere while a host has shared them in part', async () => {
  const { db } = temporary
  const bytes = BYTES.toString('base64')
  await db.uploadPart.create({ data: { uploadId: ID, number: 1, bytes } })
  expect(await restoreUploadBytes(db, ID, elsewhere())).toBe(false)
  expect(existsSync(elsewhere())).toBe(false)
})

it('are removed from a file too, into which a shared database was restored', async () => {
  const { db } = temporary
  for (const uploadId of [ID, 'up_000000000000000000000002'])
    await db.uploadPart.create({ data: { uploadId, number: 0, bytes: 'AAAA' } })
  expect(await restoreUploadBytes(db, ID, elsewhere())).toBe(true)
  await removeUploadBytes(db, ID)
  expect(await db.uploadPart.count()).toBe(1)
  await removeStrayBytes(db)
  expect(await db.uploadPart.count()).toBe(0)
})
