import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { findSuite, findSuiteVersion, listSuites, saveSuite } from './suite-store.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase()
})
afterEach(() => temporary.close())

it('returns the stored suite, shows the version saved last and keeps the earlier one', async () => {
  const { db } = temporary
  const [one, two] = [sampleSuite('1.0.0'), sampleSuite('2.0.0')]
  await saveSuite(db, one, new Date(0))
  expect(await findSuite(db, 'sample')).toEqual(one)
  await saveSuite(db, two, new Date(1))
  await saveSuite(db, two, new Date(2))
  expect(await listSuites(db)).toEqual([two])
  expect(await findSuiteVersion(db, one.digest)).toEqual(one)
  await saveSuite(db, one, new Date(3))
  expect(await findSuite(db, 'sample')).toEqual(one)
  expect(await findSuite(db, 'nothing')).toBeNull()
})
