import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBoard } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { type RealQueue, realQueue, waitUntilTrue } from '#lib/testing/factories/real-queue.ts'
import { expandLine } from '#lib/testing/workflows/workflow-rules.ts'

// Follows the page "From a key to a first claim" with three changes: the scripted model, which has no price to cap; an
// agent that installs anywhere in a minute; one repetition. Of `npm start`, only the worker runs.

const AGENT = 'pi'
const SUITE = 'typescript'
let queue: RealQueue
beforeAll(async () => {
  queue = await realQueue()
  queue.startWorker()
}, 120_000)
afterAll(() => queue.close(), 60_000)

const page = readFileSync('docs/first-claim.md', 'utf8')
const lines = (page.split('```\n')[1] ?? '').split('\n').filter(Boolean)
const commands = lines.filter((line) => line.startsWith('npx proofboard '))

/** Splits a command line, with the agent and the model of this test. */
function wordsOf(line: string): string[] {
  const played = line
    .replaceAll('claude-sonnet-5', 'scripted')
    .replaceAll('claude', AGENT)
    .replace('--repetitions 3', '--repetitions 1')
    .replace(/ --spend-cap \d+/, '')
  return expandLine(played, {}).slice(1)
}

async function rowsOf(subject: string) {
  const suite = await findSuite(database(), SUITE)
  const board = suite && (await findBoard(database(), suite.digest))
  return (board?.board.rows ?? []).filter((row) => row.subject.name === subject)
}

it('starts the server, sets a key, and then is commands of ours', () => {
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'npm',
    'export',
    ...commands.map(() => 'npx'),
  ])
  expect(commands).toHaveLength(5)
})

it('ends with the row on the board', async () => {
  const parts: string[] = []
  let path = process.env.PATH ?? ''
  for (const line of commands) {
    const { code, stdout, stderr } = await startProofboard(queue.dataDir, wordsOf(line), {
      PATH: path,
      ANTHROPIC_API_KEY: 'a-dummy-key',
    }).ended
    expect(code, `${line}\n${stdout}\n${stderr}`).toBe(0)
    parts.push(stdout)
    const installed = stdout.trim().split('\n').at(-1) ?? ''
    if (line.includes('agents install')) path = `${installed}:${dirname(process.execPath)}:${path}`
  }
  const [, prompt, plan, , whole] = parts
  expect(prompt).toContain('# Instructions')
  expect(plan).toMatch(/^25 episodes \(25 tasks × 1\)/)
  expect(plan).toContain('Cost  ')
  const [url] = /http:\/\/localhost:\S+/.exec(whole ?? '') ?? []
  const isWhole = (row: { success: { tasks: number } }) => row.success.tasks > 1
  await waitUntilTrue('the row stands there', async () => (await rowsOf(AGENT)).some(isWhole))
  const rows = await rowsOf(AGENT)
  // The trial of one task is a separate entry.
  expect(rows).toHaveLength(2)
  const row = rows.find(isWhole)
  expect(url).toContain(`open=${row?.rowId}`)
  expect(row?.success).toMatchObject({ rate: 1, tasks: 25 })
  expect(row?.registration?.status).toBe('registered')
}, 1_800_000)
