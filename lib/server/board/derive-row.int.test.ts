import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { closeDatabase, migrateDatabase } from '#lib/db/database.ts'
import { listSuites } from '#lib/db/suite-store.ts'
import { settleEnv } from '#lib/env.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { tsBenchRun } from '#lib/testing/corpora/ts-bench-samples.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { GET as getBoardFile } from '../../../app/api/v1/leaderboard/export/route.ts'
import { GET as getRowFile } from '../../../app/api/v1/rows/[rowId]/export/route.ts'
import { refreshBoard } from '../../db/refresh-board.ts'

let suiteId = ''
let temporary: TemporaryDatabase
let server: Server
/** Changes what the board says, as a wrong board would. */
let spoil = (text: string) => text

beforeAll(async () => {
  temporary = await temporaryDatabase()
  vi.stubEnv('PROOFBOARD_DATA_DIR', temporary.dir)
  settleEnv(process.cwd())
  await migrateDatabase()
  expect((await submitBody(temporary, JSON.stringify(tsBenchRun()))).status).toBe('committed')
  const [suite] = await listSuites(temporary.db)
  if (suite === undefined) throw new Error('no suite')
  suiteId = suite.suiteId
  const { rows } = await refreshBoard(temporary.db, suite, new Date())
  expect(rows).toHaveLength(1)
  server = createServer(async (incoming, result) => {
    const request = new Request(new URL(incoming.url ?? '', 'http://localhost'))
    const [, rowId = ''] = /\/rows\/([^/]+)\/export/.exec(request.url) ?? []
    const response =
      rowId === ''
        ? await getBoardFile(request, { params: Promise.resolve({}) })
        : await getRowFile(request, { params: Promise.resolve({ rowId }) })
    const text = await response.text()
    result.writeHead(response.status).end(rowId === '' ? spoil(text) : text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.close()
  vi.unstubAllEnvs()
  await closeDatabase()
  await temporary.close()
})

async function derive(program: string, script: string): Promise<{ code: number; stdout: string }> {
  const { port } = server.address() as AddressInfo
  const args = [`docs/scripts/${script}`, `http://127.0.0.1:${port}`, suiteId]
  return promisify(execFile)(program, args).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout }),
  )
}

const BOTH = [
  ['python3', 'derive_row.py', { tags: 'python' }],
  ['Rscript', 'derive_row.R', { tags: 'r' }],
] as const

for (const [program, script, needs] of BOTH)
  it(
    `${script} derives the rate of an entry from its episodes, and notices another one`,
    needs,
    async () => {
      spoil = (text) => text
      const honest = await derive(program, script)
      expect(honest.stdout).toMatch(/^\S+ [\d.]+ % \d+ tasks \d+ episodes agrees/)
      expect(honest.code).toBe(0)
      spoil = (text) => text.replace(/,(0|0?\.\d+|1),(?=[\d.]+,[\d.]+,)/, ',0.123,')
      const wrong = await derive(program, script)
      expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('DIFFERS')])
    },
  )

it('CITATION.cff names the version of the package', () => {
  const citation = parse(readFileSync('CITATION.cff', 'utf8'))
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(citation).toMatchObject({ version, license, title: 'Proofboard' })
})
