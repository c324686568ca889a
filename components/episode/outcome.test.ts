import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findingMeaning } from './outcome.tsx'

const ROOMS = ['runner/verify/exercise', 'runner/engine', 'runner/workflow']
const CODE = /(?:\bcode: |\baddFinding\()'([a-z-]+)'/g

/** Codes of findings in the runner's source. */
function codesOfRunner(): string[] {
  const files = ROOMS.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
  ).filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(path))
  const texts = files.map((path) => readFileSync(path, 'utf8'))
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(CODE)].map(([, code = '']) => code))),
  ]
}

it('explains every finding that the runner can report', () => {
  const codes = codesOfRunner()
  expect(codes).toEqual(expect.arrayContaining(['report-missing', 'canary-failed', 'exit-attempt']))
  expect(codes.filter((code) => findingMeaning(code) === null)).toEqual([])
})
