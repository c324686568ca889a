import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildBoard, serializeBoard } from '#lib/domain/board/index.ts'
import { episodeFact } from '#lib/domain/record/index.ts'
import { plainText } from '#lib/domain/text/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { demoRun } from '#lib/testing/factories/demo/demo-run.ts'
import { DEMO_ROWS, demoSuite } from '#lib/testing/factories/demo/demo-suites.ts'
import { filesSource } from './mcp-command.ts'
import { describeBoard } from './serve-mcp.ts'

const contentSchema = z.object({
  isError: z.boolean().optional(),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
})

const rateSchema = z.object({
  rate: z.number(),
  low: z.number(),
  high: z.number(),
  tasks: z.number(),
  attempts: z.number(),
  excluded: z.number(),
})
const entrySchema = z.object({
  rowId: z.string(),
  rank: z.object({ low: z.number(), high: z.number() }).nullable(),
  success: rateSchema,
  unrankedBecause: z.array(z.object({ code: z.string(), reason: z.string(), remedy: z.string() })),
})
const leaderboardSchema = z.object({
  units: z.object({ success: z.string() }),
  rows: z.array(entrySchema),
})

/** A demo board, served like a real one. */
const suite = demoSuite()
const demo = DEMO_ROWS.slice(0, 4).map((row, place) => demoRun(row, place, suite))
const board = buildBoard({
  suite,
  facts: demo.flatMap(({ episodes }) => episodes.map((one) => episodeFact(one, 'token'))),
  runs: demo.map(({ runId, plan }) => ({ runId, plan, shard: { index: 1, count: 1 } })),
})
const source = filesSource([{ board, suite }])

const folder = mkdtempSync(join(tmpdir(), 'proofboard-mcp-'))
let server: Server
let address: string
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    void answerAs(new URL(url, 'http://host')).then(
      (body) => response.end(body),
      ({ message }: Error) => response.writeHead(404).end(JSON.stringify({ detail: message })),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  address = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Responds like the public API; errors become its problem responses. */
async function answerAs({ pathname, searchParams }: URL): Promise<string> {
  if (pathname === '/api/v1/compare')
    return JSON.stringify(await source.compare((searchParams.get('rows') ?? '').split(',')))
  const wanted = searchParams.get('suite') ?? 'demo'
  if (wanted === 'endless') return 'x'.repeat(1000)
  if (pathname === '/api/v1/leaderboard' && wanted === 'demo') return serializeBoard(board)
  if (pathname === '/api/v1/leaderboard') throw new Error('no suite\nwith this\u001b[31m id')
  const row = board.rows.find(({ rowId }) => pathname === `/api/v1/rows/${rowId}`)
  if (!row) throw new Error('no row of this id')
  return JSON.stringify({ row, suite: { suiteId: 'demo' } })
}

/** Uses the official client with a real process. */
async function withTools<T>(args: readonly string[], work: (client: Client) => Promise<T>) {
  const client = new Client({ name: 'test', version: '1' })
  const command = process.execPath
  const transport = new StdioClientTransport({
    command,
    args: ['runner/cli/proofboard.mjs', 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', PROOFBOARD_DATA_DIR: folder },
    stderr: 'pipe',
  })
  await client.connect(transport)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = contentSchema.parse(await client.callTool({ name, arguments: args }))
  return { text: result.content[0].text, isError: result.isError ?? false }
}

describe('proofboard mcp', () => {
  it('gives numbers with interval, N and reasons over stdio, and one sentence to bad input', async () => {
    await withTools(['--server', address], async (client) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        'leaderboard',
        'compare',
        'explain-row',
        'list-tasks',
      ])
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)

      const told = leaderboardSchema.parse(JSON.parse((await call(client, 'leaderboard', {})).text))
      expect(told.rows.map(({ rowId }) => rowId)).toEqual(board.rows.map(({ rowId }) => rowId))
      for (const { rank, unrankedBecause } of told.rows)
        expect(rank === null).toBe(unrankedBecause.length > 0)
      const one = JSON.parse((await call(client, 'leaderboard', { limit: 1 })).text)
      expect([one.rows.length, one.leftOut]).toEqual([1, board.rows.length - 1])

      const [first = '', second = ''] = told.rows.map(({ rowId }) => rowId)
      const compared = JSON.parse((await call(client, 'compare', { rows: [first, second] })).text)
      expect(compared.pairs).toMatchObject([{ p: expect.any(Number), low: expect.any(Number) }])
      expect(compared.pairs[0].verdict).toMatch(/\w/)
      const explained = JSON.parse((await call(client, 'explain-row', { row: first })).text)
      expect(explained.tasks.length).toBe(board.suite.tasks.length)
      expect(explained.success).toMatchObject({ tasks: expect.any(Number) })
      const listed = JSON.parse((await call(client, 'list-tasks', { suite: 'demo' })).text)
      expect(listed.tasks).toHaveLength(board.suite.tasks.length)

      for (const [name, args, data] of [
        ['leaderboard', { suite: 'other' }, /no suite.*with this.* id/],
        ['leaderboard', { suite: 'endless' }, /did not answer as a Proofboard/],
        ['explain-row', { row: `row_${'0'.repeat(24)}` }, /no row of this id/],
        ['compare', { rows: [first, first] }, /./],
        ['compare', { rows: ['../../etc/passwd', first] }, /expected a row id/],
      ] as const) {
        const refused = await call(client, name, args)
        expect(refused.isError).toBe(true)
        expect(refused.text).toMatch(data)
        expect(plainText(refused.text)).toBe(refused.text.replaceAll('\n', plainText('\n')))
      }
    })
  })

  it('limits an answer, and says what it left out', () => {
    const many = { ...board, rows: Array.from({ length: 200 }, () => board.rows[0]!) }
    const text = describeBoard(many, 200)
    const { rows, leftOut } = JSON.parse(text)
    expect(text.length).toBeLessThan(50_000)
    expect(rows.length + leftOut).toBe(200)
    expect(leftOut).toBeGreaterThan(0)
  })

  it('names what is not in the results on the disk', async () => {
    await expect(source.board('dem')).rejects.toThrow('did you mean demo?')
    await expect(source.boardOf('row_\u001b[31m')).rejects.toThrow(
      'no entry row_⟨U+001B⟩[31m in these results',
    )
    expect((await source.boardOf(board.rows[0]!.rowId)).suite.suiteId).toBe('demo')
  })

  it('refuses what it cannot read before it serves anything', async () => {
    writeFileSync(join(folder, 'broken.json'), '{')
    const cases = [
      [[], 'choose what to read'],
      [['--server', 'file:///etc/passwd'], '--server expects an address'],
      [['--server', 'http://user:secret@host'], '--server expects an address'],
      [['--results', join(folder, 'absent')], 'does not exist'],
      [['--results', join(folder, 'broken.json')], 'is not valid JSON'],
    ] as const
    for (const [args, data] of cases) {
      const { code, stderr } = await proofboardHere(folder, ['mcp', ...args])
      expect([code, stderr.trim().split('\n').length]).toEqual([2, 1])
      expect(stderr).toContain(data)
    }
  })
})
