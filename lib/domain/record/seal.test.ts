import { describe, expect, it } from 'vitest'
import { sampleEpisode } from '#lib/testing/factories/sample-record.ts'
import { digestBytes } from '../digest/index.ts'
import { parseAnyEpisode } from './seal.ts'

function problemsOf(input: unknown): string[] {
  const parsed = parseAnyEpisode(input)
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`)
}

describe('parseEpisode', () => {
  it('takes back what was sealed, through JSON', () => {
    const episode = sampleEpisode()
    expect(parseAnyEpisode(JSON.parse(JSON.stringify(episode)))).toEqual({
      ok: true,
      value: episode,
    })
  })

  it('keeps what the subject was told, and leaves an envelope without it as it was sealed', () => {
    const prompt = { version: 2, digest: digestBytes('words'), passedBy: 'stdin' as const }
    const told = sampleEpisode({ prompt })
    expect(parseAnyEpisode(JSON.parse(JSON.stringify(told)))).toEqual({ ok: true, value: told })
    const parsed = parseAnyEpisode(sampleEpisode())
    expect(parsed.ok && 'prompt' in parsed.value).toBe(false)
    expect(sampleEpisode({ prompt: null }).seal).not.toBe(sampleEpisode().seal)
  })

  it('finds any changed leaf of a sealed envelope', () => {
    const episode = sampleEpisode()
    for (const [path, changed] of changedLeaves(episode)) {
      expect(parseAnyEpisode(changed).ok, `a change of ${path} went unseen`).toBe(false)
    }
  })

  it('finds an envelope that was sealed again under the name of another slot', () => {
    const { episodeId } = sampleEpisode({ repetition: 2 })
    const forged = { ...sampleEpisode(), episodeId }
    expect(problemsOf(forged)).toEqual([
      'seal: the seal does not match the content: the file was changed after it was sealed',
    ])
  })

  it.each([
    [
      'a solved episode whose contract failed',
      {
        contract: {
          verdict: 'fail',
          assertions: [],
          expectedTests: 8,
          executedTests: 8,
          passedTests: 7,
        },
      },
      'outcome',
    ],
    [
      'a pass with tests that were not executed',
      {
        contract: {
          verdict: 'pass',
          assertions: [],
          expectedTests: 8,
          executedTests: 1,
          passedTests: 1,
        },
      },
      'contract.executedTests',
    ],
    ['success flags that disagree', { agentSuccess: false }, 'overallSuccess'],
    [
      'a solved episode beside a tamper finding',
      { integrity: { protectedFilesTouched: [], findings: [{ code: 'x', detail: 'y' }] } },
      'outcome',
    ],
    ['an end before the start', { endedAt: '2025-01-01T00:00:00.000Z' }, 'endedAt'],
  ] as const)('refuses %s although it is sealed', (_, changes, path) => {
    const problems = problemsOf(sampleEpisode(changes as Parameters<typeof sampleEpisode>[0]))
    expect(problems.some((problem) => problem.startsWith(`${path}:`))).toBe(true)
  })

  it('names a newer version instead of listing unknown fields', () => {
    expect(problemsOf({ ...sampleEpisode(), schemaVersion: 3 })).toEqual([
      'schemaVersion: version 3 is newer than this program reads (2): update Proofboard',
    ])
  })

  it.each([null, 1, 'text', [], {}])('refuses %j with a path and a message', (input) => {
    expect(problemsOf(input)).toEqual(['schemaVersion: missing: this is not an episode envelope'])
  })
})

/** Yields every change of exactly one leaf: strings and numbers grow, booleans flip, nulls become text. */
function* changedLeaves(root: unknown): Generator<[string, unknown]> {
  const paths: string[][] = []
  const visit = (value: unknown, path: string[]) => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key])
    else paths.push(path)
  }
  visit(root, [])
  for (const path of paths) {
    const copy = structuredClone(root) as Record<string, unknown>
    let place = copy
    for (const key of path.slice(0, -1)) place = place[key] as Record<string, unknown>
    const last = path.at(-1) as string
    place[last] = change(place[last])
    yield [path.join('.'), copy]
  }
}

function change(value: unknown): unknown {
  if (typeof value === 'string') return `${value}0`
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : 'was null'
}
