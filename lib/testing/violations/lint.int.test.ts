import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { plantTree, runToolOnTree } from './plant-tree.ts'

type Breach = { path: string; source: string }

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

/** Every lint rule that biome.json sets itself, with a file that breaks it. */
const BREACHES: Record<string, Breach> = {
  format: { path: 'lib/runs/unformatted.ts', source: 'export const answer   =  "42";\n' },
  'assist/source/organizeImports': {
    path: 'lib/runs/unsorted.ts',
    source: `import { resolve } from 'node:path'\nimport { readFileSync } from 'node:fs'\n\nexport const text = readFileSync(resolve('a'), 'utf8')\n`,
  },
  'lint/complexity/noExcessiveCognitiveComplexity': {
    path: 'lib/runs/tangled.ts',
    source: `export function tangled(a: number[]): number {
  let sum = 0
  for (const x of a) {
    if (x > 1) {
      for (const y of a) {
        if (y > x) {
          if (y > 2) sum += y
          else if (y > 3) sum -= y
        }
      }
    }
  }
  return sum
}
`,
  },
  'lint/complexity/noExcessiveLinesPerFunction': {
    path: 'lib/runs/long-function.ts',
    source: `export function long(list: number[]): number[] {\n${lines(61, (n) => `  list.push(${n})`)}\n  return list\n}\n`,
  },
  'lint/style/noExcessiveLinesPerFile': {
    path: 'lib/runs/long-file.ts',
    source: `${lines(301, (n) => `export const n${n} = ${n}`)}\n`,
  },
  'lint/correctness/noUnusedImports': {
    path: 'lib/runs/unused-import.ts',
    source: `import { resolve } from 'node:path'\n\nexport const answer = 42\n`,
  },
  'lint/correctness/noUnusedVariables': {
    path: 'lib/runs/unused-variable.ts',
    source: 'const answer = 42\n\nexport {}\n',
  },
  'lint/correctness/noUnusedFunctionParameters': {
    path: 'lib/runs/unused-parameter.ts',
    source: `export function answer(question: string): number {\n  return 42\n}\n`,
  },
  'lint/correctness/noUndeclaredDependencies': {
    path: 'lib/runs/undeclared.ts',
    source: `import { leftPad } from 'left-pad'\n\nexport const pad = leftPad\n`,
  },
  'lint/correctness/useExhaustiveDependencies': {
    path: 'components/ui/stale-effect.tsx',
    source: `import { useEffect } from 'react'

export function Stale({ text }: { text: string }) {
  useEffect(() => {
    document.title = text
  }, [])
  return null
}
`,
  },
  'lint/suspicious/noConsole': {
    path: 'lib/runs/chatty.ts',
    source: `export const speak = () => console.log('hello')\n`,
  },
  'lint/suspicious/noExplicitAny': {
    path: 'lib/runs/any.ts',
    source: 'export const loose = (value: any) => value\n',
  },
  'lint/suspicious/noFocusedTests': {
    path: 'lib/runs/focused.test.ts',
    source: `import { it } from 'vitest'\n\nit.only('alone', () => {})\n`,
  },
  'lint/suspicious/noSkippedTests': {
    path: 'lib/runs/skipped.test.ts',
    source: `import { it } from 'vitest'\n\nit.skip('never', () => {})\n`,
  },
  'lint/suspicious/noImportCycles': {
    path: 'lib/runs/here.ts',
    source: `import { there } from './there.ts'\n\nexport const here = () => there\n`,
  },
  'lint/suspicious/noTsIgnore': {
    path: 'lib/runs/ignored.ts',
    source: `// @ts-ignore\nexport const answer: string = 42\n`,
  },
  'lint/suspicious/noVar': { path: 'lib/runs/var.ts', source: 'export var answer = 42\n' },
  'lint/style/noDefaultExport': {
    path: 'lib/runs/default.ts',
    source: 'export default 42\n',
  },
  'lint/style/noNonNullAssertion': {
    path: 'lib/runs/bang.ts',
    source: 'export const first = (list: string[]) => list[0]!.length\n',
  },
  'lint/style/noParameterAssign': {
    path: 'lib/runs/reassigned.ts',
    source: `export function twice(n: number): number {\n  n *= 2\n  return n\n}\n`,
  },
  'lint/style/noProcessEnv': {
    path: 'lib/runs/env.ts',
    source: 'export const home = process.env.HOME\n',
  },
  'lint/style/noUselessElse': {
    path: 'lib/runs/else.ts',
    source: `export function sign(n: number): string {\n  if (n < 0) {\n    return 'minus'\n  } else {\n    return 'plus'\n  }\n}\n`,
  },
  'lint/style/useConst': {
    path: 'lib/runs/let.ts',
    source: 'let n = 1\nexport const two = n + 1\n',
  },
  'lint/style/useExportType': {
    path: 'lib/runs/export-type.ts',
    source: `import type { Stats } from 'node:fs'\n\nexport { Stats }\n`,
  },
  'lint/style/useFilenamingConvention': {
    path: 'lib/runs/notKebab.ts',
    source: 'export const answer = 42\n',
  },
  'lint/style/useImportType': {
    path: 'lib/runs/import-type.ts',
    source: `import { Stats } from 'node:fs'\n\nexport type Size = Stats['size']\n`,
  },
  'lint/style/useNodejsImportProtocol': {
    path: 'lib/runs/protocol.ts',
    source: `import { resolve } from 'path'\n\nexport const here = resolve('.')\n`,
  },
  'lint/style/useThrowOnlyError': {
    path: 'lib/runs/throws-text.ts',
    source: `export function fail(): never {\n  throw 'text'\n}\n`,
  },
  'lint/nursery/noFloatingPromises': {
    path: 'lib/runs/floating.ts',
    source: `const work = async () => 42\n\nexport function start(): void {\n  work()\n}\n`,
  },
  'lint/nursery/noMisusedPromises': {
    path: 'lib/runs/misused.ts',
    source: `const isReady = async () => true\n\nexport function start(): number {\n  if (isReady()) return 1\n  return 0\n}\n`,
  },
  'lint/nursery/useExhaustiveSwitchCases': {
    path: 'lib/runs/switch.ts',
    source: `type Side = 'left' | 'right'

export function turn(side: Side): number {
  switch (side) {
    case 'left':
      return -1
  }
  return 0
}
`,
  },
  'lint/style/noRestrictedGlobals': {
    path: 'lib/domain/asks-the-network.ts',
    source: `export const ask = () => fetch('http://localhost')\n`,
  },
  plugin: {
    path: 'lib/domain/reads-the-clock.ts',
    source: 'export const now = () => Date.now()\n',
  },
}

/** Needed beside a violation, and correct itself. */
const BYSTANDERS = {
  'lib/runs/there.ts': `import { here } from './here.ts'\n\nexport const there = () => here\n`,
}

/** What is allowed in the rooms that the overrides open. */
const ALLOWED: Record<string, string> = {
  'app/page.tsx': `export default function Page() {\n  return <p>{42}</p>\n}\n`,
  'app/globals.css': `@import "tailwindcss";\n\n@theme {\n  --color-ink: #111;\n}\n`,
  'lib/env.ts': 'export const home = process.env.HOME\n',
  'lib/log.ts': `export const speak = () => console.error('hello')\n`,
  'lib/setup/speak.mjs': `console.log(process.env.HOME)\n`,
  'runner/cli/speak.ts': `export const speak = () => console.log(process.env.HOME)\n`,
  'lib/domain/plain.ts': `export const twice = (n: number) => n * 2\n`,
  'exercises/typescript/x/x.ts': `export default "not   ours to format";\n`,
}

type Diagnostic = { category: string; location: { path: string | { file: string } } }

async function check(root: string): Promise<{ code: number; found: string[]; said: string }> {
  const args = ['check', '--error-on-warnings', '--max-diagnostics=none', '--reporter=json']
  const ending = await runToolOnTree(root, ['node_modules/@biomejs/biome/bin/biome', ...args])
  const json = ending.stdout.slice(ending.stdout.indexOf('{'))
  const said = `${ending.stdout}${ending.stderr}`
  if (!json.startsWith('{')) throw new Error(`biome did not answer: ${said}`)
  const { diagnostics } = JSON.parse(json) as { diagnostics: Diagnostic[] }
  const found = diagnostics.map(({ category, location: { path } }) => {
    return `${category} ${typeof path === 'string' ? path : path.file}`
  })
  return { code: ending.code, found, said }
}

type Rules = Record<string, Record<string, unknown> | string>
type BiomeConfiguration = { linter: { rules: Rules }; overrides: { linter: { rules: Rules } }[] }

/** The rules that biome.json switches on by name, as `group/rule`. */
function listRules(): string[] {
  const { linter, overrides } = JSON.parse(readFileSync('biome.json', 'utf8')) as BiomeConfiguration
  return [linter, ...overrides.map((each) => each.linter)].flatMap(({ rules }) =>
    Object.entries(rules).flatMap(([group, set]) =>
      typeof set === 'string'
        ? []
        : Object.keys(set)
            .filter((rule) => set[rule] !== 'off')
            .map((rule) => `${group}/${rule}`),
    ),
  )
}

describe('lint wall', async () => {
  const planted = Object.fromEntries(
    Object.values(BREACHES).map(({ path, source }) => [path, source]),
  )
  const red = plantTree({ ...ALLOWED, ...planted, ...BYSTANDERS })
  const green = plantTree(ALLOWED)
  afterAll(() => {
    red.remove()
    green.remove()
  })
  const seen = await check(red.root)

  it('plants a violation of every rule that biome.json sets', () => {
    const planted = Object.keys(BREACHES).map((rule) => rule.replace(/^lint\//, ''))
    expect(planted).toEqual(expect.arrayContaining(listRules()))
  })

  it('is red on the planted tree', () => expect(seen.code).not.toBe(0))

  it.each(Object.entries(BREACHES))('%s is named where it is broken', (rule, { path }) => {
    expect(seen.found).toContain(`${rule} ${path}`)
  })

  it('leaves alone what the rooms allow', () => {
    const paths = seen.found.map((line) => line.split(' ')[1])
    expect(paths.filter((path) => path !== undefined && path in ALLOWED)).toEqual([])
  })

  it('is green on a clean tree', async () => {
    const clean = await check(green.root)
    expect(clean.found).toEqual([])
    expect(clean.code, clean.said).toBe(0)
  })
})
