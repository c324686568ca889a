import { expect, it } from 'vitest'
import { guessPython } from './guess-python.ts'

const guess = (files: Record<string, string>, isOffline = false) =>
  guessPython((path) => files[path] ?? null, 'tests/test_a.py', isOffline)
const installed = (files: Record<string, string>) =>
  guess(files)
    ?.setup.at(-1)
    ?.replace(/^.* -m pip install --quiet --no-input pytest ?/, '')

it.each([
  [
    'extras of pyproject.toml, tests before dev',
    {
      'pyproject.toml':
        '[project]\noptional-dependencies.dev = []\noptional-dependencies.tests = []',
    },
    "-e '.[tests]'",
  ],
  [
    'a dependency group',
    {
      'pyproject.toml': '[project]\nname = "a"\n[dependency-groups]\ntests = ["pytest"]\ndocs = []',
    },
    '-e . --group tests',
  ],
  [
    'extras of setup.cfg',
    {
      'setup.cfg': '[metadata]\nname = a\n[options.extras_require]\ndocs =\n    x\ntest =\n    y\n',
    },
    "-e '.[test]'",
  ],
  [
    'extras of setup.py',
    { 'setup.py': 'setup(\n    extras_require={\n        "dev": ["x"],\n    },\n)' },
    "-e '.[dev]'",
  ],
  [
    'one file of requirements for tests beside the own ones',
    {
      'requirements.txt': '',
      'requirements-dev.txt': '',
      'requirements/dev.txt': '',
      'pytest.ini': '',
    },
    '-r requirements.txt -r requirements-dev.txt',
  ],
  [
    'packages that only Poetry names, without its versions',
    {
      'pyproject.toml':
        '[tool.poetry]\nname = "a"\n[tool.poetry.group.dev.dependencies]\nmock = "^5"',
    },
    '-e . mock',
  ],
  [
    "tox's first environment, where nothing else names any",
    {
      'setup.py': '',
      'tox.ini':
        '[testenv]\ndeps =\n    mock>=5\n    -r req.txt\n    {posargs}\n[testenv:docs]\ndeps = x\n',
    },
    "-e . 'mock>=5' -r req.txt",
  ],
  ['nothing but pytest', { 'pytest.ini': '' }, ''],
  ['a file that is no TOML as one that says nothing', { 'pyproject.toml': '[[[' }, ''],
])('installs %s', (_, files, words) => {
  expect(installed(files)).toBe(words)
})

it('updates pip only for a group, which older ones do not know', () => {
  const group = '[project]\nname = "a"\n[dependency-groups]\ndev = []'
  expect(guess({ 'pyproject.toml': group })?.setup).toHaveLength(3)
  expect(guess({ 'setup.py': '' })?.setup).toHaveLength(2)
})

it('runs below src, and without a network with the packages of this machine', () => {
  expect(guess({ 'setup.py': '', src: '' })?.command).toMatch(
    /^PYTHONPATH=src \.venv\/bin\/python /,
  )
  expect(guess({ 'setup.py': '' }, true)).toMatchObject({
    command: expect.stringMatching(/^python3 -B -m pytest/),
    setup: [],
  })
  expect(guess({ 'package.json': '' })).toBeNull()
})
