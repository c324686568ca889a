import { expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { applyLedger, chainEntry } from '../ledger/index.ts'
import type { BrowserFact, Subject } from '../record/index.ts'
import { buildBoard } from './build-board.ts'
import { rowNotices } from './row-notices.ts'

const LIBRARY: Subject = {
  kind: 'library',
  name: 'my-library',
  version: '1.4.2',
  adapterVersion: 'file.1.0123456789ab+ba9876543210+01234567', // as of a run
  provider: null,
  modelRequested: null,
  targeting: 'css',
}
const suite = sampleBoardSuite(25)

function rowOf(subject: Subject, accepted: readonly string[]) {
  const { run, facts } = sampleRun({
    suite,
    subject,
    repetitions: 1,
    settings: { isolation: 'local' },
    change: () => ({
      provenance: 'local',
      browser: { driven: 'scripted', sandbox: 'bubblewrap' } as BrowserFact,
    }),
  })
  const entries = accepted.map((target) =>
    chainEntry(
      null,
      { author: 'reviewer', reason: 'read 1.4.2', action: { kind: 'accept-library', target } },
      { now: '2026-11-20T00:00:00.000Z' },
    ),
  )
  const ledger = applyLedger(entries)
  const row = buildBoard({ suite, facts, runs: [run], ledger }).rows[0]
  if (!row) throw new Error('no row')
  return row
}

const isHeld = ({ refusals }: ReturnType<typeof rowOf>) =>
  refusals.some(({ code }) => code === 'answers-out-of-reach')

it('a reviewer’s entry about the row lifts the refusal, and stands on the row', () => {
  const before = rowOf(LIBRARY, [])
  expect([isHeld(before), before.acceptedLibrary, rowNotices(before)]).toEqual([
    true,
    undefined,
    [],
  ])
  const after = rowOf(LIBRARY, [before.rowId])
  expect(isHeld(after)).toBe(false)
  expect(after.acceptedLibrary).toEqual({
    sequence: 1,
    at: '2026-11-20T00:00:00.000Z',
    reason: 'read 1.4.2',
  })
  expect(rowNotices(after)).toEqual(['library of its own, accepted by a reviewer (ledger entry 1)'])
})

it('an entry about another row, or about a library without a digest, changes nothing', () => {
  expect(isHeld(rowOf(LIBRARY, ['row_000000000000000000000000']))).toBe(true)
  const unpinned = { ...LIBRARY, adapterVersion: 'file.1.0123456789ab' }
  const { rowId } = rowOf(unpinned, [])
  const row = rowOf(unpinned, [rowId])
  expect([isHeld(row), row.acceptedLibrary]).toEqual([true, undefined])
})
