import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { openSqlite } from '../sqlite-file.ts'
import { readFileRows, type Table } from './table-copies.ts'

const ROWS = 3000
const TABLE: Table = {
  name: 'Numbers',
  columns: [{ name: 'n', type: 'number' }],
  key: ['n'],
  serial: null,
}

// Concerns files only, whichever database the other tests use.
it('reads every row of a file while garbage is collected in between', {
  tags: 'on-sqlite',
}, async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const db = openSqlite(':memory:')
  db.exec(`CREATE TABLE "Numbers" (n INTEGER);
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${ROWS})
    INSERT INTO "Numbers" SELECT n FROM c`)
  // Repeated: optimised code releases objects earlier.
  for (let time = 0; time < 10; time++) {
    const isCollected = time === 0 || time === 9
    let sum = 0
    for (const [n] of readFileRows(db, TABLE)) {
      sum += Number(n)
      if (!isCollected || Number(n) % 1000 !== 500) continue
      collect()
      await turn()
      db.prepare('SELECT 1').all()
    }
    expect(sum).toBe((ROWS * (ROWS + 1)) / 2)
  }
  db.close()
})
