import { expect, it } from 'vitest'
import { sampleRow, sampleVersion } from '#lib/testing/factories/sample-rows.ts'
import { SAMPLE_AGENT } from '#lib/testing/factories/sample-run.ts'
import { orderNamedRows } from './list-named-rows.ts'

const suite = sampleVersion('1.0.0', { a: 'one' })

type Of = { version: string; arm?: string; at: string; isCurrent?: boolean; isStress?: boolean }

function named({ version, arm, at, isCurrent = true, isStress = false }: Of) {
  const subject = { ...SAMPLE_AGENT, version, ...(arm && { arm }) }
  const rowId = [version, arm, at].filter(Boolean).join(' ')
  const lastStartedAt = `2026-11-${at}:00.000Z`
  const row = sampleRow('agent', suite, [], {
    subject,
    rowId,
    lastStartedAt,
    recovery: isStress ? { fired: 4, recovered: 1 } : null,
  })
  return { row, suiteTitle: 'Sample', isCurrent, categories: [] }
}

it('puts the arms of the newest version before the baseline of one measured earlier that day', () => {
  const rows = [
    named({ version: '1', arm: 'skill', at: '02T09:30' }),
    named({ version: '1', arm: 'baseline', at: '02T09:00' }),
    named({ version: '3', at: '03T09:00', isCurrent: false }),
    named({ version: '2', arm: 'skill', at: '02T11:30' }),
    named({ version: '2', arm: 'baseline', at: '02T11:00' }),
    named({ version: '1', at: '01T09:00' }),
  ]
  expect(orderNamedRows(rows).map(({ row }) => row.rowId)).toEqual([
    '2 baseline 02T11:00',
    '2 skill 02T11:30',
    '1 baseline 02T09:00',
    '1 skill 02T09:30',
    '1 01T09:00',
    '3 03T09:00',
  ])
})

it('puts an entry without planned faults first, however late others were measured', () => {
  const rows = [
    named({ version: '1', at: '03T09:00', isStress: true }),
    named({ version: '1', at: '02T09:00' }),
  ]
  expect(orderNamedRows(rows).map(({ row }) => row.rowId)).toEqual(['1 02T09:00', '1 03T09:00'])
})
