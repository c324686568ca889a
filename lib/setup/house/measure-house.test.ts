import { describe, expect, it } from 'vitest'
import { measureHouse } from './measure-house.mjs'

const lines = (count: number) => '// a line\n'.repeat(count)

/** A small tree with one of everything that is counted, and something beside each that is not. */
const TREE = {
  'app/page.tsx': `import { GET } from './api/route.ts'\nimport { Row } from '#components/row.tsx'\nexport const dynamic = 'x'\nexport default () => Row\n`,
  'app/api/route.ts': `import { build } from '../../lib/domain/board/build.ts'\nexport const dynamic = 'x'\nexport const GET = build\n`,
  'components/row.tsx': `import type { Rule } from '#lib/domain/rules/rule.ts'\nexport const Row = (rule: Rule) => <p>{rule}</p>\n`,
  'lib/domain/board/build.ts': `import { rule } from '../rules/rule.ts'\nexport const [build, main] = [rule, rule]\nexport type Slot = string\n`,
  'lib/domain/board/build.test.ts': `import { build } from './build.ts'\nbuild()\n`,
  'lib/domain/rules/rule.ts': `import { tiny } from './tiny.ts'\nimport { big } from './big.ts'\nimport type { Slot } from '../board/slot.ts'\nexport const rule = [tiny, big]\nexport type Rule = Slot\n`,
  'lib/domain/rules/tiny.ts': `export const tiny = 1\n`,
  'lib/domain/rules/big.ts': `${lines(40)}export const big = 1\n`,
  'lib/domain/board/slot.ts': `export type Slot = number\n`,
  'lib/domain/board/slot.test.ts': `import './slot.ts'\n`,
  'lib/domain/loose.ts': `export { rule } from './rules/rule.ts'\nexport const Schema = 1\nexport type Schema = number\n`,
  'lib/db/generated/client.ts': `export const rule = 2\n`,
  'lib/testing/sample.ts': `export const rule = 3\n`,
  'runner/cli.mjs': `const late = () => import('./late.mjs')\nexport { late as open }\n`,
  'runner/late.mjs': `export function open() {}; export function main() {}\n`,
  'proxy.ts': `export const config = {}\n`,
  'vitest.config.ts': `export const rule = 4\n`,
  'exercises/browser/apps/shop.ts': `${lines(3)}`,
  'exercises/typescript/a/a.ts': `export const rule = 5\n`,
  'README.md': '# Not code\n',
}

describe('the figures of a tree', () => {
  const house = measureHouse(TREE)

  it('counts product code by room, and browser workflows apart', () => {
    expect(house.rooms.map(({ name, files }) => [name, files])).toEqual([
      ['app', 2],
      ['components', 1],
      ['lib', 6],
      ['runner', 2],
      ['prisma', 0],
      ['.', 1],
    ])
    expect(house.files).toBe(12)
    expect(house.lines).toBe(4 + 3 + 2 + 3 + 5 + 1 + 41 + 1 + 3 + 2 + 1 + 1)
    expect(house.exercises).toEqual({ name: 'exercises/browser/', files: 1, lines: 3 })
  })

  it('names small files with one importer and no test of their own, but none that Next imports, too', () => {
    expect(house.fragments).toEqual([
      'components/row.tsx',
      'lib/domain/rules/tiny.ts',
      'runner/late.mjs',
    ])
  })

  it('follows imports of values, of types and at run time', () => {
    expect(house.longestChain).toEqual([
      'app/page.tsx',
      'app/api/route.ts',
      'lib/domain/board/build.ts',
      'lib/domain/rules/rule.ts',
      'lib/domain/rules/tiny.ts',
    ])
  })

  it('ends at a cycle', () => {
    const cycle = { 'lib/a.ts': `import './b.ts'\n`, 'lib/b.ts': `import './a.ts'\n` }
    expect(measureHouse(cycle).longestChain).toHaveLength(2)
  })

  it('names modules of the core that import each other', () => {
    expect(house.mutualModules).toEqual([['board', 'rules']])
  })

  it('names what is exported twice, but not what Next or a launcher asks for, nor a schema with its type', () => {
    expect(house.repeatedNames).toEqual([
      { name: 'Slot', paths: ['lib/domain/board/build.ts', 'lib/domain/board/slot.ts'] },
      { name: 'open', paths: ['runner/cli.mjs', 'runner/late.mjs'] },
    ])
  })
})
