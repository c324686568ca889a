import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveBoard } from '#lib/db/board-store.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { buildBoard } from '#lib/domain/board/index.ts'
import { changeReportSchema } from '#lib/domain/change/index.ts'
import { episodeFact } from '#lib/domain/record/index.ts'
import { getComparison } from '#lib/server/board/compare.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import {
  comparedBundle,
  comparedSuite,
  writeResult,
} from '#lib/testing/factories/compared-bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-compare-'))
const data = join(folder, 'data')
const proofboard = (...args: string[]) => proofboardHere(data, args)
const [base, head] = [join(data, 'results', 'base'), join(data, 'results', 'head')]

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = data
  const runs = [
    comparedBundle('agent', 'run_base0000', (task) => task % 3),
    comparedBundle('other', 'run_head0000', () => 3),
  ] as const
  writeResult(base, runs[0])
  writeResult(head, runs[1])
  // The same two runs on a worker's board, as the compare page reads it.
  const suite = comparedSuite()
  const facts = runs.flatMap(({ episodes }) => episodes.map((one) => episodeFact(one, 'local')))
  await migrateDatabase()
  await saveSuite(database(), suite, new Date())
  const board = buildBoard({ suite, facts, runs })
  await saveBoard(database(), board, { ledgerSequence: 0, now: new Date() })
})
afterAll(async () => {
  await closeDatabase()
  rmSync(folder, { recursive: true, force: true })
})

describe('proofboard compare', () => {
  it('says the numbers that the compare page shows for the same two runs', async () => {
    const file = join(folder, 'compare.json')
    const { code, stdout } = await proofboard(
      'compare',
      base,
      head,
      '--format',
      'json',
      '--output',
      file,
    )
    expect([code, stdout]).toEqual([0, ''])
    const { pairs } = changeReportSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    const [pair] = pairs
    if (!pair?.ok) throw new Error('both were to be compared')
    const { rows, pairs: shown, tasks } = pair.comparison
    const page = await getComparison(rows.map(({ rowId }) => rowId))
    if (!page.ok) throw new Error(page.reason)
    expect(shown).toEqual(page.pairs)
    expect(tasks).toEqual(page.tasks)
    expect(rows.map(({ success }) => success)).toEqual(page.rows.map(({ success }) => success))
  })

  it('takes files and folders, writes plain text, and fails only when it is asked to', async () => {
    const forward = await proofboard('compare', join(base, 'result.json'), head)
    expect(forward.code, forward.stderr).toBe(0)
    expect(forward.stdout).toContain('other against agent')
    const whole = await proofboard('compare', join(data, 'results'), head, '--names', 'all,new')
    expect(whole.stdout).toContain('this compares a run with itself')
    const [calm, strict] = [
      await proofboard('compare', head, base),
      await proofboard('compare', head, base, '--fail-on', 'worse'),
    ]
    expect(calm.code).toBe(0)
    expect([strict.code, strict.stdout]).toEqual([1, expect.stringMatching(/^WORSE/)])
  })

  it.each([
    ['a folder without results', () => [folder, head], /contains no result\.json/],
    ['a file that is none', () => [join(folder, 'nothing'), head], /does not exist/],
    ['names that are the same', () => [base, head, '--names', 'a,a'], /two different names/],
  ])('refuses %s in one sentence', async (_, args, sentence) => {
    const { code, stderr } = await proofboard('compare', ...args())
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringMatching(sentence)]])
  })
})
