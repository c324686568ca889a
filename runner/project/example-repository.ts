// The repository task that `proofboard init` writes: a small function in the user's own repository, judged by its own test
// runner, or in a repository of its own.
import { posix } from 'node:path'
import { stringify } from 'yaml'
import type { ExampleFile } from './example-exercise.ts'
import { javaScript, type Language, PYTHON, WRONG } from './example-languages.ts'
import { commandFor } from './guess-runner.ts'
import type { OwnRepository } from './own-repository.ts'
import { TESTS, type TestRunner } from './test-runner.ts'

/** The task's name. */
export const EXAMPLE_TASK = 'title-slug'

/** Position of the example in a repository, as paths from its root, and its language. */
type Setting = {
  source: object
  runner: TestRunner
  module: string
  test: string
  /** The test as the verify command names it. */
  named: string
  language: Language
}

/**
 * Returns a suite of one small repository task, which `proofboard suite verify <folder>` proves; null = a new
 * repository.
 */
export async function exampleRepository(
  suiteId: string,
  own: OwnRepository | null,
): Promise<ExampleFile[]> {
  const setting = own === null ? OF_ITS_OWN : await settingIn(own)
  const { module, test, language } = setting
  const about = {
    suiteId,
    kind: 'repository',
    title: suiteId,
    description: 'Tasks of our own.',
    version: '1.0.0',
  }
  const imported = posix.relative(posix.dirname(test), module)
  const tests = language.tests(imported.startsWith('.') ? imported : `./${imported}`)
  const files: ExampleFile[] = [
    { path: 'task.yaml', text: describe(setting) },
    { path: 'instruction.md', text: instructionFor(language.name, module) },
    { path: `tests/${test}`, text: tests },
    { path: `solution/${module}`, text: language.solution('right') },
    ...WRONG.map((name) => ({ path: `wrong/${name}/${module}`, text: language.solution(name) })),
    ...(own === null ? REPOSITORY : []),
  ]
  return [
    { path: 'suite.json', text: `${JSON.stringify(about, null, 2)}\n` },
    ...files.map(({ path, text }) => ({ path: `${EXAMPLE_TASK}/${path}`, text })),
  ]
}

function describe({ source, runner, named }: Setting): string {
  const { command, format, setup, protect } = runner
  const task = {
    id: EXAMPLE_TASK,
    title: 'Slug of a title',
    category: 'feature',
    difficulty: 'easy',
    source,
    setup,
    ...(setup.length > 0 && {
      network: { reason: 'the set-up downloads the packages of the repository', for: ['setup'] },
    }),
    change: { allow: ['**'], protect },
    verify: { command: commandFor(command, [named]), report: { format }, timeout: 120 },
  }
  return `${TASK_HEAD}${stringify(task, { lineWidth: 0 })}`
}

const TASK_HEAD = `# One task: an issue (instruction.md) in a repository, judged by tests that the agent never sees (tests/).
#   source: what the agent starts from · setup: run once, the files it leaves are kept · verify: how work is judged
#   solution/ and wrong/ are what the proof plays. After each change: npx proofboard suite verify <folder of the suite>
`

function instructionFor(name: string, module: string): string {
  return `# Slug of a title

Add the file \`${module}\` with the function \`${name}(title, longest)\`. It turns a title into the last part of an address.

- Letters become lower case. Letters with accents lose them: \`é\` is \`e\`.
- Every run of other characters than \`a\` to \`z\` and digits becomes one hyphen.
- There is no hyphen at the beginning or the end.
- The slug has at most \`longest\` characters (80 if it is left out). It is cut at the last hyphen that leaves it short
  enough; if its first word is longer than that, the word is cut.
- A title without letters and digits is \`untitled\`. It is not cut.
`
}

async function settingIn(own: OwnRepository): Promise<Setting> {
  const { top, commit, below, files, runner } = own
  const isPython = runner.format === 'pytest'
  const [model = null] = files
    .filter((path) => (isPython ? PYTHON_TEST : JAVASCRIPT_TEST).test(path))
    .filter((path) => !path.split('/').includes('node_modules'))
    .sort((a, b) => a.split('/').length - b.split('/').length || a.length - b.length)
  const usual = isPython || files.some((path) => path.startsWith('tests/')) ? 'tests' : 'test'
  const folder = model === null ? usual : posix.dirname(model)
  const at = (...path: string[]) => posix.join(below, ...path)
  // The task is two folders below the project.
  const source = { git: posix.join('../..', top), commit }
  if (isPython) {
    const named = posix.join(folder, 'test_title_slug.py')
    const module = at('title_slug.py')
    return { source, runner, module, test: at(named), named, language: PYTHON }
  }
  const { ending, marker, ...style } = await styleOf(own, model)
  const named = posix.join(folder, `${EXAMPLE_TASK}${marker}.${ending}`)
  const sources = files.some((path) => path.startsWith('src/')) ? 'src' : ''
  const module = at(sources, `${EXAMPLE_TASK}.${ending}`)
  return { source, runner, module, test: at(named), named, language: javaScript(style) }
}

const PYTHON_TEST = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/
const JAVASCRIPT_TEST = /[.-](test|spec)\.[cm]?[jt]sx?$/

/** Chooses name and syntax of a test, so that this repository's runner finds and understands it. */
async function styleOf({ runner: { command }, read }: OwnRepository, model: string | null) {
  const known = /([.-](?:test|spec))\.([cm]?)([jt])sx?$/.exec(model ?? '')
  const [, marker = '.test', kind = '', language = 'j'] = known ?? []
  const [, npx = 'node'] = /\bnpx (vitest|jest|mocha|ts-mocha|ava|tap)\b/.exec(command) ?? []
  const library = (/\bbun test\b/.test(command) ? 'bun' : npx.replace('ts-', '')) as LibraryName
  // These derive a module's format from its extension alone.
  if (BY_ENDING.has(library)) return { ...OF_NODE, library, ending: 'mjs', marker }
  const text = model === null ? '' : await read(model)
  const isModule = library !== 'jest' || language === 't' || /^\s*import\s/m.test(text)
  return {
    ending: `${kind}${language}s`,
    marker,
    library,
    isModule,
    isTyped: language === 't',
  }
}

type LibraryName = Parameters<typeof javaScript>[0]['library']
const BY_ENDING: ReadonlySet<LibraryName> = new Set(['node', 'mocha', 'ava', 'tap'])
const OF_NODE = { library: 'node', isModule: true, isTyped: false } as const

const OF_ITS_OWN: Setting = {
  source: { folder: 'repo' },
  runner: {
    command: `node --test --test-reporter=tap --test-reporter-destination={report} --test-reporter=spec --test-reporter-destination=stdout ${TESTS}`,
    format: 'node',
    setup: [],
    protect: [],
  },
  module: `src/${EXAMPLE_TASK}.mjs`,
  test: `test/${EXAMPLE_TASK}.test.mjs`,
  named: `test/${EXAMPLE_TASK}.test.mjs`,
  language: javaScript(OF_NODE),
}

/** Files of the example repository, if the user has none. */
const REPOSITORY: ExampleFile[] = [
  {
    path: 'repo/package.json',
    text: `${JSON.stringify({ name: 'titles', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  },
  {
    path: 'repo/README.md',
    text: '# Titles\n\nSmall functions on titles of pages. `npm test` tests them.\n',
  },
  {
    path: 'repo/src/capitals.mjs',
    text: '/** A title with a capital letter at the beginning of each word. */\nexport function capitals(title) {\n  return title.replace(/(^|\\s)\\p{L}/gu, (start) => start.toUpperCase())\n}\n',
  },
  {
    path: 'repo/test/capitals.test.mjs',
    text: "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { capitals } from '../src/capitals.mjs'\n\ntest('each word gets a capital letter', () => {\n  assert.equal(capitals('a wide world'), 'A Wide World')\n})\n",
  },
]
