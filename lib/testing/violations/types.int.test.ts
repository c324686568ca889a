import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plantTree, runToolOnTree } from './plant-tree.ts'

/** Strictness that tsconfig.json asks for: the option, a line that breaks it, and the code it is refused with. */
const BREACHES: Record<string, [source: string, code: string]> = {
  strict: [`export const n: number = null\n`, 'TS2322'],
  noUncheckedIndexedAccess: [
    `export const first = (list: string[]): string => list[0]\n`,
    'TS2322',
  ],
  exactOptionalPropertyTypes: [
    `type Row = { rank?: number }\n\nexport const row: Row = { rank: undefined }\n`,
    'TS2375',
  ],
  noImplicitOverride: [
    `class Base {\n  run() {}\n}\n\nexport class Late extends Base {\n  run() {}\n}\n`,
    'TS4114',
  ],
  noFallthroughCasesInSwitch: [
    `export function f(n: number): number {\n  let m = 0\n  switch (n) {\n    case 1:\n      m = 1\n    case 2:\n      m = 2\n  }\n  return m\n}\n`,
    'TS7029',
  ],
  noUnusedLocals: [`const lonely = 1\n\nexport {}\n`, 'TS6133'],
  noUnusedParameters: [`export const f = (lonely: number) => 1\n`, 'TS6133'],
  isolatedModules: [`export { PathLike } from 'node:fs'\n`, 'TS1205'],
  verbatimModuleSyntax: [
    `import { PathLike } from 'node:fs'\n\nexport type S = PathLike\n`,
    'TS1484',
  ],
}

const slug = (option: string) => `lib/runs/${option.toLowerCase()}.ts`

describe('types wall', () => {
  const files = Object.fromEntries(
    Object.entries(BREACHES).map(([option, [source]]) => [slug(option), source]),
  )
  const clean = { 'lib/runs/plain.ts': `export const first = (list: string[]) => list[0] ?? ''\n` }
  const red = plantTree({ ...clean, ...files })
  const green = plantTree(clean)
  const check = (root: string) =>
    runToolOnTree(root, ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false'])
  let said = ''
  beforeAll(async () => {
    said = (await check(red.root)).stdout
  })
  afterAll(() => {
    red.remove()
    green.remove()
  })

  it.each(Object.entries(BREACHES))('%s is refused', (option, [, code]) => {
    const refusals = said.split('\n').filter((line) => line.startsWith(`${slug(option)}(`))
    expect(refusals.join('\n')).toContain(`error ${code}:`)
  })

  it('is green on a clean tree', async () => {
    const { code, stdout } = await check(green.root)
    expect(stdout).toBe('')
    expect(code).toBe(0)
  })
})
