import { describe, expect, it } from 'vitest'
import { parseSubjectList } from './subject-list.ts'

const list = (...subjects: object[]) => ({ schemaVersion: 1, subjects })
const NIGHTLY = { subject: 'reference', suite: 'typescript', every: 'day' }
const WEEKLY = {
  subject: 'claude',
  suite: 'typescript',
  model: 'claude-sonnet-4-6',
  tasks: ['lru-cache', 'csv-parser'],
  repetitions: 4,
  shards: 8,
  'max-steps': 60,
  'max-cost': 2.5,
  temperature: 'provider-fixed',
  seed: 0,
  'spend-cap': 50,
  every: 'week',
}

/** Returns the paths of the problems in a list. */
function problems(input: unknown): string[] {
  const listed = parseSubjectList(input, 'week')
  return listed.ok ? [] : listed.problems.map(({ path }) => path)
}

describe('listSubjects', () => {
  it('takes the nightly ones each day and all once a week', () => {
    const names = (every: 'day' | 'week') => {
      const listed = parseSubjectList(list(NIGHTLY, WEEKLY), every)
      return listed.ok && listed.value.map(({ subject }) => subject)
    }
    expect(names('day')).toEqual(['reference'])
    expect(names('week')).toEqual(['reference', 'claude'])
  })

  it('gives every input as text, pins together, and nothing where nothing was asked', () => {
    const listed = parseSubjectList(list(WEEKLY, NIGHTLY), 'week')
    expect(listed.ok && listed.value).toEqual([
      {
        subject: 'claude',
        suite: 'typescript',
        model: 'claude-sonnet-4-6',
        provider: '',
        tasks: 'lru-cache,csv-parser',
        repetitions: '4',
        shards: '8',
        isolation: '',
        pins: 'max-steps=60,max-cost=2.5,temperature=provider-fixed,seed=0',
        'spend-cap': '50',
      },
      expect.objectContaining({ subject: 'reference', model: '', pins: '', repetitions: '' }),
    ])
  })

  it.each([
    [null, ['(root)']],
    [list(), ['subjects']],
    [list({ ...NIGHTLY, every: 'hour' }), ['subjects.0.every']],
    [list({ ...NIGHTLY, repetition: 3 }), ['subjects.0']],
    [list({ ...NIGHTLY, subject: '--out=/x' }), ['subjects.0.subject']],
    [list({ ...NIGHTLY, model: 'a b' }), ['subjects.0.model']],
    [list({ ...NIGHTLY, shards: 257 }), ['subjects.0.shards']],
    [list(...Array.from({ length: 257 }, () => NIGHTLY)), ['subjects']],
    [{ ...list(NIGHTLY), schemaVersion: 2 }, ['schemaVersion']],
  ])('refuses %j with its path', (input, paths) => {
    expect(problems(input)).toEqual(paths)
  })
})
