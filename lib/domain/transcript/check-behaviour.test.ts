import { describe, expect, it } from 'vitest'
import { behavioursSchema } from '../tasks/index.ts'
import { checkBehaviours, tallyBehaviours } from './check-behaviour.ts'
import type { TranscriptEnd, TranscriptStep } from './transcript.ts'

const END = { droppedSteps: 0, cutChars: 0 } as TranscriptEnd

function transcript(...calls: [name: string, given: unknown][]) {
  const steps = calls.map(([name, given], place) => ({
    index: place + 1,
    toolCalls: [
      { id: null, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
    ],
  })) as unknown as TranscriptStep[]
  return { steps, end: END }
}

const verdicts = (read: Parameters<typeof checkBehaviours>[0], ...expected: object[]) =>
  checkBehaviours(read, behavioursSchema.parse(expected)).map(({ verdict }) => verdict)

describe('checkBehaviours', () => {
  const read = transcript(
    ['Bash', { command: 'cat "notes.txt" && ls' }],
    ['mcp__docs__search', { query: 'a\nsecret/key.pem' }],
    ['edit', 'not JSON: src/a.ts'],
  )

  it('finds tools by name, and MCP tools by their own name too', () => {
    expect(verdicts(read, { called: 'bash' }, { called: 'search' }, { called: 'docs' })).toEqual([
      'pass',
      'pass',
      'fail',
    ])
    expect(verdicts(read, { 'never-called': 'search' }, { 'never-called': 'web' })).toEqual([
      'fail',
      'pass',
    ])
  })

  it('finds a path as a whole, below other folders and in text that is not JSON', () => {
    expect(
      verdicts(
        read,
        { read: 'notes.txt' },
        { read: 'src/a.ts' },
        { read: 'otes.txt' },
        { read: 'notes' },
      ),
    ).toEqual(['pass', 'pass', 'fail', 'fail'])
    expect(verdicts(read, { 'never-read': 'key.pem' }, { 'never-read': 'key' })).toEqual([
      'fail',
      'pass',
    ])
  })

  it('counts calls', () => {
    expect(verdicts(read, { 'max-calls': 3 }, { 'max-calls': 2 })).toEqual(['pass', 'fail'])
  })

  it('does not know what a cut transcript leaves out', () => {
    const cut = { ...read, end: null }
    const asked = [{ called: 'web' }, { 'never-called': 'web' }, { 'max-calls': 5 }]
    expect(verdicts(cut, ...asked)).toEqual(['inconclusive', 'inconclusive', 'inconclusive'])
    expect(
      verdicts(cut, { called: 'bash' }, { 'never-called': 'bash' }, { 'max-calls': 2 }),
    ).toEqual(['pass', 'fail', 'fail'])
  })

  it('counts episodes for each sentence', () => {
    const [one] = checkBehaviours(read, [{ called: 'bash' }])
    const [two] = checkBehaviours({ steps: [], end: null }, [{ called: 'bash' }])
    if (!one || !two) throw new Error('no result')
    expect(tallyBehaviours([[one], [two]])).toEqual(['called bash: 1 of 2 episodes, 1 unknown'])
  })
})

it.each([
  [[{}], 'exactly one'],
  [[{ called: 'a', read: 'b' }], 'exactly one'],
  [[{ calls: 1 }], 'calls'],
  [[{ 'max-calls': 0 }], '>0'],
  [[], '>=1'],
])('refuses %j', (value, sentence) => {
  expect(behavioursSchema.safeParse(value).error?.message).toContain(sentence)
})
