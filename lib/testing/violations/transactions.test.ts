import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SEAM = 'lib/db/transaction.ts'
const OPENS = /\.\$transaction\(/

const sources = ['app', 'components', 'lib', 'runner']
  .flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  )
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('lib/db/generated/'))

it('are opened by inTransaction alone, which takes the write lock and tries again', () => {
  expect(OPENS.test(`db.$${'transaction('}async (tx) => {})`)).toBe(true)
  const opening = sources.filter((path) => OPENS.test(readFileSync(path, 'utf8')))
  expect(opening).toEqual([SEAM])
})
