import { parse } from 'smol-toml'
import type { ReadRoot, TestRunner } from './test-runner.ts'

type Table = Record<string, unknown>

const PYTHON_FILES = [
  ...['pytest.ini', 'pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'conftest.py'],
  ...['requirements.txt'],
]

/** Files that list what the tests need, most specific first. */
export const REQUIREMENTS = [
  ...['requirements-test.txt', 'requirements-tests.txt', 'requirements_test.txt'],
  ...['test-requirements.txt', 'tests/requirements.txt', 'test_requirements.txt'],
  ...['requirements/tests.txt', 'requirements/test.txt', 'requirements/testing.txt'],
  ...['requirements-dev.txt', 'requirements_dev.txt', 'dev-requirements.txt'],
  ...['requirements/dev.txt', 'requirements/development.txt'],
]

/** Names of extras and groups for testing, most specific first. */
const GROUPS = ['tests', 'test', 'testing', 'dev', 'develop', 'development']

const VENV = '.venv/bin/python'

/** Versions of packages that read theirs from git, which a task's tree does not have. */
const PRETEND = 'SETUPTOOLS_SCM_PRETEND_VERSION=0.0.0 PBR_VERSION=0.0.0'

/**
 * Detects pytest and its set-up: a virtual environment with the project and what its tests need, or without a network
 * this machine's own packages. Null = no Python.
 */
export function guessPython(read: ReadRoot, tests: string, isOffline = false): TestRunner | null {
  if (PYTHON_FILES.every((path) => read(path) === null)) return null
  const path = read('src') === null ? '' : 'PYTHONPATH=src '
  const python = isOffline ? 'python3' : VENV
  return {
    command: `${path}${python} -B -m pytest -q -p no:cacheprovider --junitxml={report} ${tests}`,
    format: 'pytest',
    setup: isOffline ? [] : guessSetup(read),
    protect: [],
  }
}

function guessSetup(read: ReadRoot): string[] {
  const wanted = ['pytest', ...needsOf(read)]
  const install = `${VENV} -m pip install --quiet --no-input`
  return [
    // Copies, because a link to this machine's Python would lead out of the task. Its packages are not installed again.
    'python3 -m venv --copies --system-site-packages .venv',
    ...(wanted.includes('--group') ? [`${install} --upgrade pip`] : []),
    `${PRETEND} ${install} ${wanted.map(quote).join(' ')}`,
  ]
}

/** Lists arguments of pip: the project with its test extras, its dependency group, a file of requirements. */
function needsOf(read: ReadRoot): string[] {
  const project = parseToml(read('pyproject.toml'))
  const extra = GROUPS.find((name) => extrasOf(read, project).includes(name))
  const isPackage =
    read('setup.py') !== null || tableOf(project, 'project') !== null || isBuilt(read, project)
  const own = isPackage ? ['-e', extra === undefined ? '.' : `.[${extra}]`] : []
  const group = GROUPS.find((name) =>
    Object.hasOwn(tableOf(project, 'dependency-groups') ?? {}, name),
  )
  const files = [
    ...(isPackage ? [] : ['requirements.txt']),
    ...REQUIREMENTS.filter((path) => read(path) !== null).slice(0, 1),
  ].filter((path) => read(path) !== null)
  return [
    ...own,
    ...(group === undefined ? [] : ['--group', group]),
    ...files.flatMap((path) => ['-r', path]),
    ...namedByTools(project),
    ...(extra === undefined && group === undefined && files.length === 0 ? depsOfTox(read) : []),
  ]
}

const isBuilt = (read: ReadRoot, project: Table) =>
  /^\[(metadata|options)\]/m.test(read('setup.cfg') ?? '') ||
  tableOf(project, 'tool', 'poetry') !== null

/** Names of optional dependencies in any of the three places where they are declared. */
function extrasOf(read: ReadRoot, project: Table): string[] {
  const declared = tableOf(project, 'project', 'optional-dependencies') ?? {}
  const poetry = tableOf(project, 'tool', 'poetry', 'extras') ?? {}
  const [, cfg = ''] =
    /^\[options\.extras_require\]([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(read('setup.cfg') ?? '') ?? []
  const [, setup = ''] =
    /extras_require\s*=\s*\{([\s\S]*?)\n\s{0,4}\}/.exec(read('setup.py') ?? '') ?? []
  return [
    ...Object.keys(declared),
    ...Object.keys(poetry),
    ...[...cfg.matchAll(/^([\w-]+)\s*=/gm)].map(([, name = '']) => name),
    ...[...setup.matchAll(/["']([\w-]+)["']\s*:/g)].map(([, name = '']) => name),
  ]
}

/** Names of packages in tables that only Poetry, PDM or Hatch read; their versions are left to pip. */
function namedByTools(project: Table): string[] {
  const poetry = GROUPS.flatMap((name) => [
    ...Object.keys(tableOf(project, 'tool', 'poetry', 'group', name, 'dependencies') ?? {}),
  ])
  const old = Object.keys(tableOf(project, 'tool', 'poetry', 'dev-dependencies') ?? {})
  const pdm = GROUPS.flatMap((name) =>
    listOf(tableOf(project, 'tool', 'pdm', 'dev-dependencies')?.[name]),
  )
  const hatch = ['hatch-test', 'test', 'tests', 'default'].flatMap((name) => {
    const env = tableOf(project, 'tool', 'hatch', 'envs', name)
    return [...listOf(env?.dependencies), ...listOf(env?.['extra-dependencies'])]
  })
  const uv = listOf(tableOf(project, 'tool', 'uv')?.['dev-dependencies'])
  const all = [...poetry, ...old, ...pdm, ...hatch, ...uv]
  return [...new Set(all.filter((one) => /^[A-Za-z0-9]/.test(one) && one !== 'python'))]
}

/** The plain requirements of tox's first environment. */
function depsOfTox(read: ReadRoot): string[] {
  const [, section = ''] =
    /^\[testenv\]([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(read('tox.ini') ?? '') ?? []
  const [, deps = ''] = /^deps\s*=([\s\S]*?)(?=^\S|$(?![\s\S]))/m.exec(section) ?? []
  const lines = deps.split('\n').map((line) => line.trim())
  return lines.flatMap((line) => {
    const [, file] = /^-r\s*([\w./-]+)$/.exec(line) ?? []
    if (file !== undefined) return ['-r', file]
    return /^[A-Za-z0-9][\w.-]*(\[[\w,-]+\])?([<>=!~]=?[\w.*,<>=!~]+)?$/.test(line) ? [line] : []
  })
}

function parseToml(text: string | null): Table {
  try {
    return text === null ? {} : parse(text)
  } catch {
    return {}
  }
}

function tableOf(value: Table, ...keys: string[]): Table | null {
  let at: unknown = value
  for (const key of keys) at = isTable(at) ? at[key] : undefined
  return isTable(at) ? at : null
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

const quote = (word: string) =>
  /^[\w@.+/=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
