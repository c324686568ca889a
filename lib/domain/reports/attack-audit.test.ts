import { describe, expect, it } from 'vitest'
import {
  type AuditDocument,
  auditDocumentSchema,
  countAudit,
  countByClass,
  countCell,
} from './attack-audit.ts'

const DOCUMENT: AuditDocument = {
  schemaVersion: 1,
  suiteId: 'small',
  title: 'Small',
  suiteVersion: '1.0.0',
  suiteDigest: `sha256:${'0'.repeat(64)}`,
  auditedAt: '2026-11-22T06:00:00.000Z',
  durationMs: 1200,
  harness: { version: '0.1.0', commit: null, dirty: null },
  node: 'v20.19.0',
  isolation: 'bubblewrap',
  asRoot: false,
  tasks: ['one', 'two'],
  attacks: [
    {
      name: 'exits',
      class: 'verdict-forged',
      kind: 'solution',
      summary: 'Ends the process.',
      outcomes: [{ result: 'named', observed: 'exit-attempt', tasks: ['one', 'two'] }],
    },
    {
      name: 'prints',
      class: 'verdict-forged',
      kind: 'solution',
      summary: 'Prints a result.',
      outcomes: [
        { result: 'prevented', observed: 'unsolved', tasks: ['one'] },
        { result: 'paid', observed: 'solved', tasks: ['two'] },
      ],
    },
    { name: 'none', class: 'secrets', kind: 'agent', summary: 'Reads nothing.', outcomes: [] },
  ],
  skipped: [{ attack: 'none', tasks: 2, reason: 'the task offers nothing to it' }],
}

describe('auditDocumentSchema', () => {
  it('takes a whole document and nothing beside it', () => {
    expect(auditDocumentSchema.parse(DOCUMENT)).toEqual(DOCUMENT)
    expect(auditDocumentSchema.safeParse({ ...DOCUMENT, more: 1 }).success).toBe(false)
    expect(auditDocumentSchema.safeParse({ ...DOCUMENT, tasks: ['../up'] }).success).toBe(false)
    expect(auditDocumentSchema.safeParse({ ...DOCUMENT, attacks: [] }).success).toBe(false)
  })
})

describe('countAudit', () => {
  it('counts pairs, and only attacks that were played', () => {
    expect(countAudit(DOCUMENT)).toEqual({
      attacks: 2,
      classes: 1,
      tasks: 2,
      pairs: 4,
      solved: 1,
      unnamed: 0,
      named: 2,
      prevented: 1,
      skipped: 2,
    })
  })

  it('counts by class and by cell', () => {
    expect(countByClass(DOCUMENT)).toMatchObject([
      { class: 'verdict-forged', attacks: 2, paid: 1, named: 2, prevented: 1 },
    ])
    const cell = countCell(DOCUMENT.attacks, { classId: 'verdict-forged', taskId: 'two' })
    expect(cell).toEqual({ paid: 1, unnamed: 0, named: 1, prevented: 0 })
  })
})
