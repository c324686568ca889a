import { describe, expect, it } from 'vitest'
import { judgeInterruption, type Now } from './close-interrupted.ts'
import type { AnyJournalEntry, JournalEntry } from './journal.ts'

const at = '2026-11-01T00:00:00.000Z'
const slot = { taskId: 'lru-cache', repetition: 1, attempt: 1 }
const begun: JournalEntry = { at, event: 'attempt-started', ...slot }
const NOW: Now = { boot: 'boot-1', isAlive: () => true }

type Started = Extract<AnyJournalEntry, { event: 'runner-started' }>
const runner = (changes: Partial<Started> = {}): Started => ({
  at,
  event: 'runner-started',
  boot: 'boot-1',
  supervisor: '7@7',
  subjectCanSignal: true,
  ...changes,
})
const phase = (name: string): AnyJournalEntry => ({
  at,
  event: 'phase-started',
  phase: name,
  ...slot,
})
const STOP: AnyJournalEntry = { at, event: 'stop-asked', reason: 'terminated' }
const judge = (journal: AnyJournalEntry[], now = NOW) => judgeInterruption(journal, begun, now)

describe('an attempt whose runner was killed', () => {
  it.each(['subject', 'restore', 'verify'])(
    'counts in phase %s when the subject could have done it and nothing else shows a cause',
    (name) => {
      const outcome = judge([runner(), begun, phase('prepare'), phase(name)])
      expect(outcome.status).toBe('subject-crashed')
      expect(outcome.reason).toContain(`in phase ${name}`)
    },
  )

  it.each<[string, AnyJournalEntry[], Now, RegExp]>([
    [
      'is in a sandbox',
      [runner({ subjectCanSignal: false }), begun, phase('subject')],
      NOW,
      /way$/,
    ],
    ['had not begun', [runner(), begun, phase('prepare')], NOW, /way$/],
    ['was through', [runner(), begun, phase('subject'), phase('evidence')], NOW, /way$/],
    ['has a journal of an earlier version', [begun], NOW, /way$/],
    [
      'was being stopped',
      [runner(), begun, phase('subject'), STOP],
      NOW,
      /stopped \(terminated\)$/,
    ],
    [
      'was on a machine that was restarted',
      [runner(), begun, phase('subject')],
      { ...NOW, boot: 'boot-2' },
      /was restarted$/,
    ],
    [
      'lost its supervisor too',
      [runner(), begun, phase('subject')],
      { ...NOW, isAlive: () => false },
      /supervisor died/,
    ],
  ])('is void when the subject %s', (_, journal, now, reason) => {
    const outcome = judge(journal, now)
    expect(outcome).toMatchObject({ status: 'void', fault: 'infrastructure' })
    expect(outcome.reason).toMatch(reason)
  })

  it('is judged by its own runner, not by one before or after it', () => {
    const before = [runner({ subjectCanSignal: false }), STOP]
    const after = [runner({ subjectCanSignal: false, boot: 'boot-0' }), STOP]
    const journal = [...before, runner(), begun, phase('subject'), ...after]
    expect(judge(journal).status).toBe('subject-crashed')
  })
})
