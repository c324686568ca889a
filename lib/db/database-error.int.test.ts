import { openSync, writeSync } from 'node:fs'
import { expect, it } from 'vitest'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { writeMigrated } from '#lib/testing/factories/temporary-database.ts'
import { isSound } from './database.ts'
import { databaseError } from './database-error.ts'

const temporary = databaseForEach()

it.each([
  ['its header', 0],
  ['its first page', 100],
  ['a page behind', 3 * 4096],
])('a file is not sound that is damaged in %s', (_, at) => {
  const file = `${temporary.dir}/other.db`
  writeMigrated(file)
  expect(isSound(file)).toBe(true)
  writeSync(openSync(file, 'r+'), Buffer.alloc(3900, 0x41), 0, 3900, at)
  expect(isSound(file)).toBe(false)
})

it('says of an input or output error what a person can look at', () => {
  // SQLite's error when the disk is too full even for the index of its log.
  const failure = Object.assign(new Error('disk I/O error'), { errcode: 4874 })
  expect(databaseError(failure)).toMatchObject({
    code: 'database-unusable',
    message: expect.stringContaining('check that its disk works and is not full'),
  })
})
