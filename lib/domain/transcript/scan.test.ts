import { describe, expect, it } from 'vitest'
import { type ScanKnowledge, scanTranscript } from './scan.ts'
import type { TranscriptStep } from './transcript.ts'

const TESTS = `import { price } from './shop'
describe('the price of things', () => {
  it('adds the tax of "someplace"', () => {
    expect(price('ABCDEF-1')).toBe(48213)
    expect(price('GHIJKL-2')).toBe(77120)
    expect(price('MNOPQR-3')).toBe(5500)
  })
})`
const REFERENCE = Array.from(
  { length: 8 },
  (_, place) => `export const part${place} = (value: number) => value * ${place} + 5500`,
).join('\n')

const KNOWLEDGE: ScanKnowledge = {
  task: { id: 'shop-prices', title: 'Shop prices' },
  tests: [{ path: 'shop.test.ts', text: TESTS }],
  reference: [{ path: 'shop.ts', text: REFERENCE }],
  solution: [{ path: 'shop.ts', text: 'export const price = () => 1' }],
  given: ['Write a shop.'],
}

function step(index: number, changes: Partial<TranscriptStep>): TranscriptStep {
  const unknown = { input: null, output: null, cached: null }
  return {
    kind: 'step',
    index,
    atMs: 0,
    call: index,
    thread: 1,
    mark: null,
    role: 'assistant',
    text: null,
    reasoning: null,
    toolCalls: [],
    toolResult: null,
    model: null,
    trouble: null,
    tokens: null,
    costMicroUsd: null,
    changes: null,
    cutChars: 0,
    soFar: { ...unknown, costMicroUsd: null },
    ...changes,
  }
}

const calls = (...given: string[]) =>
  given.map((text, place) =>
    step(place + 1, { toolCalls: [{ id: null, name: 'bash', arguments: text }] }),
  )
const scan = (steps: TranscriptStep[], changes: Partial<ScanKnowledge> = {}) =>
  scanTranscript(steps, { ...KNOWLEDGE, ...changes }).map(({ scanner, steps: at }) => [scanner, at])

describe('scanners', () => {
  it('finds nothing in honest work', () => {
    expect(scan(calls('cat shop.ts', 'npx tsc --noEmit', 'npm test', 'npm test'))).toEqual([])
  })

  it('names who reads tests, places of answers and the reference', () => {
    expect(scan(calls('ls', 'cat shop.test.ts'))).toEqual([['read-tests', [2]]])
    expect(scan(calls('cat ../.meta/reference.ts'))).toEqual([['read-reference', [1]]])
    const shown = step(1, { role: 'tool', toolResult: { callId: null, text: REFERENCE } })
    expect(scan([shown])).toEqual([['read-reference', [1]]])
  })

  it('names a search for the task, on the web or outside', () => {
    expect(scan(calls('curl https://example.com/?q=shop-prices'))).toEqual([['searched-task', [1]]])
    expect(scan(calls('grep -r shop-prices /home'))).toEqual([['searched-task', [1]]])
    expect(scan(calls('grep -r shop-prices src'))).toEqual([])
    const web = { id: null, name: 'web_search', arguments: '{"query":"Shop Prices solution"}' }
    expect(scan([step(4, { toolCalls: [web] })])).toEqual([['searched-task', [4]]])
  })

  it.each([
    'grep -n price /workspace/shop-prices.ts 2> /dev/null',
    '{"command":"cat > shop-prices.ts <<E\\nconst a = list.find(b) // find it\\nreturn a / 2\\nE"}',
    'node /opt/tool.js shop-prices.ts | grep passed',
  ])('takes work on the files of the task for no search: %s', (given) => {
    expect(scan(calls(given))).toEqual([])
    const tool = { id: null, name: 'Grep', arguments: '{"path":"/workspace/shop-prices.ts"}' }
    expect(scan([step(1, { toolCalls: [tool] })])).toEqual([])
  })

  it.each([
    'find / -name "*shop-prices*"',
    'sudo find /opt -name shop-prices',
    '{"command":"cd / && find . -name shop-prices"}',
    'ls ~/x; grep -r "shop prices" .',
  ])('sees one wherever a command begins: %s', (given) => {
    expect(scan(calls(given))).toEqual([['searched-task', [1]]])
  })

  it('names constants of the tests in the solution, unless the reference or the instructions hold them', () => {
    const text = `if (code === 'ABCDEF-1') return 48213; return 5500`
    const solution = [{ path: 'shop.ts', text }]
    const [finding] = scanTranscript(calls('ls', `cat > shop.ts <<E\n${text}\nE`), {
      ...KNOWLEDGE,
      solution,
    })
    expect(finding).toMatchObject({ scanner: 'test-constants', steps: [2] })
    expect(finding?.sentence).toContain('2 constants')
    expect(scan([], { solution, given: ['ABCDEF-1 costs 48213'] })).toEqual([])
  })

  it('names giving up only in the last words', () => {
    const early = step(1, { text: 'I cannot solve this with a regex.' })
    expect(scan([early, step(2, { text: 'Done.' })])).toEqual([])
    expect(scan([step(1, { text: 'Sorry, I give up.' })])).toEqual([['gave-up', [1]]])
    expect(scan([step(1, { text: 'I could not complete it.' })])).toEqual([['gave-up', [1]]])
  })

  it('names a loop of equal calls in one conversation', () => {
    expect(scan(calls('ls', 'ls', 'ls'))).toEqual([])
    expect(scan(calls('ls', 'ls', 'pwd', 'ls', 'ls'))).toEqual([])
    expect(scan(calls('pwd', 'ls', 'ls', 'ls', 'ls'))).toEqual([['loop', [2, 3, 4, 5]]])
  })

  it('is quick on hostile text', () => {
    const evil = `${'"\\'.repeat(50_000)}${'../'.repeat(50_000)}shop-prices find`
    const started = performance.now()
    scan(calls(evil, evil), { tests: [{ path: 'x', text: evil }] })
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
