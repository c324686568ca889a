import { beforeEach, expect, it } from 'vitest'
import { saveSuite } from '#lib/db/suite-store.ts'
import { PROTOCOL_VERSION } from '#lib/domain/tasks/index.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleBoardSuite } from '#lib/testing/factories/sample-run.ts'
import { byStamp } from './by-stamp.ts'

const kept = databaseForEach()
const now = new Date('2026-01-01T00:00:00.000Z')

let reads = 0
let isFailing = false
const read = byStamp('test', async (name: string) => {
  reads++
  if (isFailing) throw new Error('not now')
  return `${name} ${reads}`
})

beforeEach(() => {
  reads = 0
  isFailing = false
})

const write = () =>
  saveSuite(
    kept.db,
    {
      ...sampleBoardSuite(1),
      kind: 'exercise',
      version: '1.0.0',
      protocolVersion: PROTOCOL_VERSION,
      source: null,
    },
    now,
  )

it('reads once for each argument while the public data is unchanged', async () => {
  expect(await Promise.all([read('a'), read('b'), read('a')])).toEqual(['a 1', 'b 2', 'a 1'])
  expect(await read('a')).toBe('a 1')
  await write()
  expect(await read('a')).toBe('a 3')
  expect(await read('b')).toBe('b 4')
})

it('reads again after a failure, and forgets what was asked for longest ago', async () => {
  isFailing = true
  await expect(read('c')).rejects.toThrow('not now')
  isFailing = false
  expect(await read('c')).toBe('c 2')
  for (let other = 0; other < 100; other++) await read(`other ${other}`)
  expect(await read('c')).toBe('c 103')
})
