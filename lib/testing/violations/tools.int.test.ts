import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { plantTree, runToolOnTree } from './plant-tree.ts'

const BIN = 'node_modules'
const CLEAN = {
  'lib/setup/all-packages.mjs': '', // imported by the scripts of package.json
  'lib/domain/tasks/index.ts': `export const twice = (n: number): number => n * 2\n`,
}

/** A violation for each tool of `npm run check`, and its message. `beside` = files that it needs. */
const VIOLATIONS = [
  {
    tool: 'Biome',
    args: [`${BIN}/@biomejs/biome/bin/biome`, 'check', '--error-on-warnings'],
    path: 'lib/domain/tasks/now.ts',
    source: `export const now = () => Date.now()\n`,
    printed: /now\.ts:1:\d+ plugin/,
  },
  {
    tool: 'TypeScript',
    args: [`${BIN}/typescript/bin/tsc`, '--noEmit', '--pretty', 'false'],
    path: 'lib/domain/tasks/first.ts',
    source: `export const first = (list: string[]): string => list[0]\n`,
    printed: /first\.ts\(1,\d+\): error TS2322/,
  },
  {
    tool: 'dependency-cruiser',
    args: [resolve('lib/setup/cruise.mjs')],
    path: 'lib/domain/tasks/disk.ts',
    source: `import { readFileSync } from 'node:fs'\n\nexport const read = readFileSync\n`,
    printed: /domain-is-pure: lib\/domain\/tasks\/disk\.ts/,
  },
  {
    tool: 'dependency-cruiser',
    args: [resolve('lib/setup/cruise.mjs')],
    path: 'lib/server/board/board.ts',
    source: `import { readArchive } from '../../domain/archive/index.ts'\n\nexport const read = readArchive\n`,
    beside: { 'lib/domain/archive/index.ts': `export const readArchive = () => null\n` },
    printed: /core-knows-no-extras: lib\/server\/board\/board\.ts/,
  },
  {
    tool: 'dependency-cruiser',
    args: [resolve('lib/setup/cruise.mjs')],
    path: 'lib/domain/text/text.ts',
    source: `import { sealEpisode } from '../record/index.ts'\n\nexport const seal = sealEpisode\n`,
    beside: { 'lib/domain/record/index.ts': `export const sealEpisode = () => null\n` },
    printed: /texts-know-no-records: lib\/domain\/text\/text\.ts/,
  },
  {
    tool: 'knip',
    // A project of two files uses few packages.
    args: [`${BIN}/knip/bin/knip.js`, '--no-progress', '--exclude', 'dependencies,devDependencies'],
    path: 'lib/domain/tasks/forgotten.ts',
    source: `export const forgotten = 1\n`,
    printed: /Unused files[\s\S]*forgotten\.ts/,
  },
]

describe.each(VIOLATIONS)('$tool', ({ args, path, source, printed, beside }) => {
  const tree = plantTree({ ...CLEAN, ...beside, [path]: source })
  afterAll(tree.remove)

  it(`refuses ${path}`, async () => {
    const { code, stdout, stderr } = await runToolOnTree(tree.root, args)
    expect(`${stdout}${stderr}`).toMatch(printed)
    expect(code).not.toBe(0)
  })
})
