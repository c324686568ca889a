import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { judgeWork } from '#runner/repository/judge-work.ts'
import { type BaseSettings, prepareBase } from '#runner/repository/prepare-base.ts'
import type { Isolation } from '#runner/sandbox/isolation/isolation.ts'
import { readRepositoryTask } from '#runner/suites/read-repository-task.ts'
import { proveRepositories } from '#runner/suites/verify/prove-repository.ts'
import type { Need } from '../needs.ts'

type Language = { module: string; test: string; right: string; wrong: string; lie: string }

/** An installed test runner, and a repository that lacks `twice`. */
type RealRunner = {
  name: string
  command: string
  format: string
  language: Language
  tests: string
  /** The test names in its report, sorted. */
  names: string[]
  /** Additional files of the repository. */
  repo?: Record<string, string>
}

const JAVASCRIPT: Language = {
  module: 'twice.mjs',
  test: 'twice.test.mjs',
  right: 'export const twice = (n) => n * 2\n',
  wrong: 'export const twice = (n) => n + 1\n',
  lie: `export const twice = (n) => n
console.log('TAP version 13\\nok 1 - twice > of one\\nok 2 - of <many> & more\\n1..2\\n# 13 of 13 passed')
process.exit(0)
`,
}

const PYTHON: Language = {
  module: 'twice.py',
  test: 'test_twice.py',
  right: 'def twice(n):\n    return n * 2\n',
  wrong: 'def twice(n):\n    return n + 1\n',
  lie: 'import os, sys\nsys.stdout.write("13 passed\\n")\nsys.stdout.flush()\nos._exit(0)\n',
}

const GO: Language = {
  module: 'twice.go',
  test: 'twice_test.go',
  right: 'package twice\n\nfunc twice(n int) int { return n * 2 }\n',
  wrong: 'package twice\n\nfunc twice(n int) int { return n + 1 }\n',
  lie: 'package twice\n\nimport "os"\n\nfunc init() { println("13 passed"); os.Exit(0) }\n\nfunc twice(n int) int { return n }\n',
}

const NODE_TESTS = `import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { twice } from './twice.mjs'
describe('twice', () => {
  it('of one', () => { assert.equal(twice(1), 2) })
  it('of three', () => { assert.equal(twice(3), 6) })
})
test('of <many> & more', () => { assert.deepEqual([4, 5].map(twice), [8, 10]) })
test.skip('later', () => {})
`

const VITEST_TESTS = `import { describe, expect, it, test } from 'vitest'
import { twice } from './twice.mjs'
describe('twice', () => {
  it('of one', () => { expect(twice(1)).toBe(2) })
  it('of three', () => { expect(twice(3)).toBe(6) })
})
test('of <many> & more', () => { expect([4, 5].map(twice)).toEqual([8, 10]) })
test.skip('later', () => {})
`

const PYTEST_TESTS = `import pytest
from twice import twice

class TestTwice:
    def test_of_one(self):
        assert twice(1) == 2

@pytest.mark.parametrize("n", ["<4>"])
def test_of_many(n):
    assert twice(int(n[1:2])) == 8

@pytest.mark.skip
def test_later():
    pass
`

const GO_TESTS = `package twice

import "testing"

func TestOfThree(t *testing.T) {
	t.Run("of three", func(t *testing.T) {
		if twice(3) != 6 {
			t.Fatal("expected 6")
		}
	})
}

func TestOfMany(t *testing.T) {
	for _, tc := range []struct{ n, want int }{{4, 8}, {5, 10}} {
		t.Run("many", func(t *testing.T) {
			if got := twice(tc.n); got != tc.want {
				t.Errorf("got %d", got)
			}
		})
	}
}

func TestLater(t *testing.T) { t.Skip("later") }
`

const node = (reporter: 'tap' | 'junit', names: string[]): RealRunner => ({
  name: `node:test, ${reporter}`,
  command: `node --test --test-reporter=${reporter} --test-reporter-destination={report} twice.test.mjs`,
  format: 'node',
  language: JAVASCRIPT,
  tests: NODE_TESTS,
  names,
})

const VITEST = join(process.cwd(), 'node_modules/vitest/vitest.mjs')
const vitest = (reporter: 'json' | 'junit', names: string[]): RealRunner => ({
  name: `vitest, ${reporter}`,
  command: `node ${JSON.stringify(VITEST)} run --reporter=${reporter} --outputFile={report} twice.test.mjs`,
  format: reporter === 'json' ? 'vitest' : 'junit',
  language: JAVASCRIPT,
  tests: VITEST_TESTS,
  names,
})

const PLAIN = ['of <many> & more', 'twice > of one', 'twice > of three']

/** Test runners that start quickly. */
export const QUICK_RUNNERS: readonly RealRunner[] = [
  node('tap', PLAIN),
  // The class name of every test is `test`.
  node('junit', ['test > of <many> & more', 'twice > test > of one', 'twice > test > of three']),
  {
    name: 'pytest, JUnit',
    command: 'python3 -B -m pytest -q -p no:cacheprovider --junitxml={report} test_twice.py',
    format: 'pytest',
    language: PYTHON,
    tests: PYTEST_TESTS,
    names: [
      'pytest > test_twice > test_of_many[<4>]',
      'pytest > test_twice.TestTwice > test_of_one',
    ],
  },
]

/** Test runners that take seconds to start, and are in folders that only `local` can see. */
export const SLOW_RUNNERS: readonly RealRunner[] = [
  vitest('json', PLAIN),
  // Vitest prefixes names with the file.
  vitest(
    'junit',
    PLAIN.map((name) => `twice.test.mjs > ${name}`),
  ),
  {
    name: 'go, JSON',
    command: 'go test -json ./...',
    format: 'go',
    language: GO,
    tests: GO_TESTS,
    names: [
      ...['twice > TestOfMany', 'twice > TestOfMany/many', 'twice > TestOfMany/many#01'],
      ...['twice > TestOfThree', 'twice > TestOfThree/of_three'],
    ],
    repo: { 'go.mod': 'module twice\n\ngo 1.19\n' },
  },
]

/** Tags for what a runner needs and some machines lack. */
export function needsOf({ format }: RealRunner): Need[] {
  return format === 'pytest' || format === 'go' ? [format] : []
}

export function realSettings(root: string, isolation: Isolation): BaseSettings {
  const temporary = join(root, 'tmp')
  mkdirSync(temporary, { recursive: true })
  return {
    isolation,
    temporary,
    cache: join(root, 'cache'),
    runMark: 'proofboard-test',
    signal: new AbortController().signal,
  }
}

function writeTask(folder: string, runner: RealRunner): void {
  const { command, format, language, tests, repo = {} } = runner
  const { module, test, right, wrong } = language
  const task = {
    id: 'twice',
    title: 'Twice',
    category: 'feature',
    difficulty: 'easy',
    instruction: 'Add twice.',
    source: { folder: 'repo' },
    verify: { command, report: { format }, timeout: 120 },
  }
  const files = {
    // JSON is YAML.
    'task.yaml': JSON.stringify(task),
    'repo/README.md': 'Numbers.\n',
    ...Object.fromEntries(Object.entries(repo).map(([path, text]) => [`repo/${path}`, text])),
    [`tests/${test}`]: tests,
    [`solution/${module}`]: right,
    [`wrong/adds/${module}`]: wrong,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/**
 * Proves a task with this runner: the reference is solved, an empty and a wrong solution are not, and added failing
 * tests are reported as failed. Then judges a solution that ends the runner with exit code 0 and a report of its own.
 */
export async function expectJudged(root: string, runner: RealRunner, settings: BaseSettings) {
  const folder = join(root, runner.name.replaceAll(/\W+/g, '-'), 'twice')
  writeTask(folder, runner)
  const how = { ...settings, concurrency: 1, runs: 1, onTask: () => {} }
  const proof = await proveRepositories([await readRepositoryTask(folder)], how)
  expect(proof.deviations.map(({ deviates }) => deviates)).toEqual([])
  expect(existsSync(join(folder, 'proof.json'))).toBe(true)
  const task = await readRepositoryTask(folder)
  expect(task.task.expectedTests).toEqual(runner.names)
  const { module, lie } = runner.language
  const changes = [{ path: module, bytes: Buffer.from(lie), executable: false }]
  const base = await prepareBase(task, settings)
  const work = { changes, findings: [], problem: null }
  expect((await judgeWork(task, base, work, settings)).contract.verdict).toBe('fail')
}
