import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plantTree, runToolOnTree } from './plant-tree.ts'

const CLEAN = {
  'lib/setup/all-packages.mjs': '', // imported by the scripts of package.json
  'lib/worker/worker.ts': `import { used } from './used.ts'\n\nexport const main = used\n`,
  'lib/worker/used.ts': `export const used = () => 42\n`,
}

const DEAD = {
  'lib/worker/forgotten.ts': `export const forgotten = 1\n`,
  'lib/worker/used.ts': `export const used = () => 42\nexport const spare = 7\nexport type Spare = string\n`,
  'lib/worker/worker.ts': `import { used } from './used.ts'\nimport { pad } from 'left-pad'\n\nexport const main = [used, pad]\n`,
}

describe('dead code wall', () => {
  const red = plantTree({ ...CLEAN, ...DEAD })
  const green = plantTree(CLEAN)
  // A tree of two files uses hardly a package: what is declared is counted on the real tree alone.
  const args = [
    'node_modules/knip/bin/knip.js',
    '--no-progress',
    '--exclude',
    'dependencies,devDependencies',
  ]
  let said = ''
  let code = 0
  beforeAll(async () => {
    const ending = await runToolOnTree(red.root, args)
    said = ending.stdout
    code = ending.code
  })
  afterAll(() => {
    red.remove()
    green.remove()
  })

  it('is red on the planted tree', () => expect(code).not.toBe(0))
  it('names a file without an importer', () =>
    expect(said).toMatch(/Unused files[\s\S]*forgotten\.ts/))
  it('names an unused export', () => expect(said).toMatch(/Unused exports[\s\S]*\bspare\b/))
  it('names an unused type', () => expect(said).toMatch(/exported types[\s\S]*\bSpare\b/))
  it('names a package that package.json lacks', () => expect(said).toMatch(/left-pad/))

  // By day the step `deadcode` shows it on the real tree.
  it('is green on a clean tree', { tags: 'night' }, async () => {
    const ending = await runToolOnTree(green.root, args)
    expect(ending.stdout).not.toMatch(/Unused|Unlisted/)
    expect(ending.code, ending.stdout + ending.stderr).toBe(0)
  })

  it('names an unused package', async () => {
    const { stdout } = await runToolOnTree(green.root, args.slice(0, 2))
    expect(stdout).toMatch(/Unused dependencies[\s\S]*nuqs/)
  })
})
