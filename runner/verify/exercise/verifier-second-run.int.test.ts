import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { exerciseInput } from '#lib/testing/verifier/exercise-input.ts'
import { nodeProgram } from '../../sandbox/process/node-program.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { createVerifier } from './create-verifier.ts'
import type { VerifierInput } from './verifier-types.ts'

const TEST = `import { describe, expect, it } from '@jest/globals'
import { double } from './task.ts'
describe('double', () => {
  it('one', () => { expect(double(1)).toBe(2) })
  it('two', () => { expect(double(2)).toBe(4) })
  it('text', () => { expect(() => double(Number.NaN)).toThrow('no number') })
  it('loop', () => { for (const n of [5, 6]) expect(double(n) / n).toEqual(2) })
})
`
const NAMES = ['one', 'two', 'text', 'loop'].map((name) => `double > ${name}`)
const REFERENCE = `export const double = (n: number): number => {
  if (Number.isNaN(n)) throw new Error('no number')
  return n * 2
}
`
const SCENARIO = `import { double } from '../task.ts'
export const scenario = ({ random, attempt }: any) => {
  for (let round = 0; round < 20; round++) {
    const n = random.int(-1000, 1000)
    attempt(\`double \${n}\`, () => double(n))
  }
}
`
const TABLE = `const KNOWN: Record<string, number> = { 1: 2, 2: 4, 5: 10, 6: 12 }
export const double = (n: number): number => {
  const answer = KNOWN[n]
  if (answer === undefined) throw new Error('no number')
  return answer
}
`

const inputOf = (solution: string, rest: Partial<VerifierInput> = {}): VerifierInput => ({
  ...exerciseInput({ solution, test: TEST, expected: NAMES }),
  reference: [{ path: 'task.ts', text: REFERENCE }],
  heldOut: { scenario: { path: '.meta/held-out.ts', text: SCENARIO } },
  alterTests: true,
  ...rest,
})

/** A solution whose process is controlled by the attacker; see owned-process.mjs. */
const forging = (wish: object) =>
  `export const double = (n: number): number => n\n// stays in the code\n;(globalThis as any)['FORGE ${JSON.stringify({ names: NAMES, ...wish })}']\n`

const verifier = sharedVerifier()
const owned = createVerifier({
  places: [
    {
      sandbox: 'none',
      network: 'host',
      enter: (node) => {
        const program = join(PROJECT_ROOT, 'lib/testing/verifier/owned-process.mjs')
        const { path } = nodeProgram()
        return { command: [path, program, path, ...node], release: () => {} }
      },
    },
  ],
})
afterAll(() => owned.close())

describe('the second run', () => {
  it('agrees with an honest solution, with fresh seeds each time', async () => {
    const reports = [
      await verifier.evaluate(inputOf(REFERENCE)),
      await verifier.evaluate(inputOf(REFERENCE)),
    ]
    for (const { verdict, heldOut, altered, log } of reports) {
      expect(verdict, log).toBe('pass')
      expect(heldOut).toMatchObject({ agreed: true, difference: null, observations: 21 })
      expect(altered?.mustFail).toBeGreaterThan(0)
    }
    expect(reports[0]?.heldOut?.seeds).not.toEqual(reports[1]?.heldOut?.seeds)
  })

  it('does not believe a table of the visible answers', async () => {
    const { verdict, tests, heldOut, altered, findings } = await verifier.evaluate(inputOf(TABLE))
    expect([verdict, tests.ok, heldOut?.agreed]).toEqual(['fail', true, false])
    expect(heldOut?.difference?.expected).toMatch(/^double -?\d+: -?\d+$/)
    expect([altered?.passed, findings]).toEqual([[], []])
  })

  it('leaves the transcript out where the visible tests fail already', async () => {
    const wrong = REFERENCE.replace('n * 2', 'n * 3')
    const { verdict, heldOut } = await verifier.evaluate(inputOf(wrong))
    expect([verdict, heldOut]).toEqual(['fail', null])
  })

  it('never passes a task whose scenario cannot be answered', async () => {
    const { verdict } = await verifier.evaluate(inputOf(REFERENCE, { reference: null }))
    expect(verdict).toBe('fail')
  })

  it('can judge by the transcript alone, with seeds that are given', async () => {
    const seeds = ['1'.repeat(32), '2'.repeat(32)]
    const { verdict, heldOut } = await verifier.evaluate(
      inputOf(REFERENCE, { runTests: false, expectedTests: null, seeds }),
    )
    expect([verdict, heldOut?.seeds, heldOut?.agreed]).toEqual(['pass', seeds, true])
  })

  it('hides tests and scenario from the solution', async () => {
    const looks = `const scenario = require('./.meta/held-out.ts')\nvoid scenario\n${REFERENCE}`
    const { tests } = await verifier.evaluate(inputOf(`declare const require: any\n${looks}`))
    expect(tests.loadError).toContain("Cannot find module './.meta/held-out.ts'")
  })
})

describe('a process that the attacker owns', () => {
  it('gives true answers for the reference, as the real one does', async () => {
    const { verdict, log } = await owned.evaluate(inputOf(REFERENCE))
    expect(verdict, log).toBe('pass')
  })

  it('is named when it reports every test as passed, with or without a transcript', async () => {
    for (const heldOut of [inputOf('').heldOut, null]) {
      const report = await owned.evaluate(inputOf(forging({}), { heldOut }))
      expect([report.tests.ok, report.verdict]).toEqual([true, 'fail'])
      expect(report.findings.map(({ code }) => code)).toEqual(['passes-altered-tests'])
    }
  })

  it('is not believed even when it makes up a transcript', async () => {
    const entries = Array.from({ length: 20 }, (_, n) => `double ${n}: ${2 * n}`)
    const report = await owned.evaluate(
      inputOf(forging({ entries: [...entries, 'end'] }), { alterTests: false }),
    )
    expect([report.verdict, report.heldOut?.agreed, report.findings]).toEqual(['fail', false, []])
  })
})
