import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { proofboardHere } from '../factories/command-here.ts'
import type { CommandEnd } from '../factories/proofboard-command.ts'

export const REFERENCE = `export function isAdult(age: number): boolean {
  if (age < 0) throw new RangeError('an age is not negative')
  return age >= 18
}
`
/** No test checks the boundary of 18 or an age of 0. */
export const TESTS = `import { expect, it } from '@jest/globals'
import { isAdult } from './adult.ts'
it('tells adults from children', () => {
  expect(isAdult(30)).toBe(true)
  expect(isAdult(5)).toBe(false)
})
it('refuses negative ages', () => {
  expect(() => isAdult(-7)).toThrow(RangeError)
})
`
const CONFIG = {
  files: { solution: ['adult.ts'], test: ['adult.test.ts'], example: ['.meta/reference.ts'] },
}
const SUITE = { suiteId: 'mine', kind: 'exercise', title: 'Mine', description: '', version: '1' }

/** A suite of one exercise whose tests miss mistakes. */
export class MutatedSuite {
  readonly #root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  readonly folder = join(this.#root, 'mine')
  /** Folder of the measured results. */
  readonly keptFile = join(this.folder, 'adult/.meta/mutation.json')

  constructor() {
    this.plant('suite.json', SUITE)
    this.plant('adult/.docs/instructions.md', '# Adult')
    const stub = 'export function isAdult(_age: number): boolean { throw new Error() }\n'
    this.plant('adult/adult.ts', stub)
    this.plant('adult/adult.test.ts', TESTS)
    this.plant('adult/.meta/reference.ts', REFERENCE)
    this.plant('adult/.meta/wrong/never.ts', REFERENCE.replace('age >= 18', 'false'))
    this.plant('adult/.meta/wrong/boundary.ts', REFERENCE.replace('>= 18', '> 18'))
    this.plant('adult/.meta/config.json', CONFIG)
  }

  plant(path: string, content: unknown): void {
    const target = join(this.folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content))
  }

  proofboard(...args: string[]): Promise<CommandEnd> {
    return proofboardHere(join(this.#root, 'data'), args)
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}
