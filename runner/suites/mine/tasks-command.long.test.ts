import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GitHistory } from '#lib/testing/factories/git-history.ts'
import { lastJson, pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { listProcesses, type RunningProcess } from '../../sandbox/process/list-processes.ts'

const MINUTES = 60_000
let root: string
let history: GitHistory
let gold: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'mine-'))
  mkdirSync(join(root, 'tmp'))
  history = new GitHistory(join(root, 'calc'))
  gold = fill(history)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const start = (args: readonly string[]) =>
  startProofboard(join(root, 'data'), args, { TMPDIR: join(root, 'tmp') })
const argsOf = (out: string, more: readonly string[]) => [
  ...['tasks', 'mine', history.root, '--out', join(root, out), '--runs', '2', '--timeout', '90'],
  ...['--json', ...more],
]
const mine = async (out: string, ...more: string[]) => {
  const { code, stdout, stderr } = await start(argsOf(out, more)).ended
  expect(code, stderr).toBe(0)
  return lastJson(stdout) as { commits: Judged[] }
}
type Judged = { subject: string; verdict: string; code?: string; notes?: string[]; wrong?: number }

const test = (name: string, body: string) =>
  `const test = require('node:test')\nconst assert = require('node:assert')\ntest(${name}, async () => { ${body} })\n`
const calls = (name: string) =>
  test(`'${name}'`, `assert.equal(require('../calc.js').${name}(), '${name}')`)
const code = (...names: string[]) =>
  names.map((name) => `exports.${name} = () => '${name}'\n`).join('')

/** Makes commits that only their tests can classify. Returns the one that adds `shared`. */
function fill(made: GitHistory): string {
  made.commit('feat: a calculator', {
    'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
    'calc.js': code('one'),
    'test/one.test.js': calls('one'),
    'test/helper.js': 'exports.help = () => 1\n',
  })
  const shared = made.commit('feat: two shares its work with a helper', {
    'calc.js': `${code('one')}exports.two = () => require('./work.js').two\n`,
    'work.js': "exports.two = 'two'\n",
    'test/helper.js': 'exports.help = () => 2\n',
    'test/two.test.js': calls('two'),
  })
  made.commit('feat: three is described in words', {
    'README.md': 'three\n',
    'calc.js': code('one', 'three'),
    'test/three.test.js': calls('three'),
  })
  made.commit('feat: four has another name each time', {
    'calc.js': code('one', 'three', 'four'),
    'test/four.test.js':
      calls('four').replace("'four'", "'four ' + Math.random()") +
      calls('one').replace(/^.*\n.*\n/, ''),
  })
  made.commit('feat: five asks the network', {
    'calc.js': code('one', 'five'),
    'test/five.test.js': test(
      "'five'",
      "await require('node:dns').promises.lookup('five.example.org')",
    ),
  })
  made.commit('feat: six never ends', {
    'calc.js': code('one', 'six'),
    'test/six.test.js': `${calls('six')}setInterval(() => {}, 1000)\n`,
  })
  made.commit('feat: seven is wrong', {
    'calc.js': code('one'),
    'test/seven.test.js': calls('seven') + test("'never'", 'assert.fail()'),
  })
  const eight = { 'calc.js': code('one', 'eight'), 'test/eight.test.js': calls('eight') }
  made.commit('feat: eight comes for the first time', eight)
  made.commit('revert: eight goes away again', {
    'calc.js': code('one'),
    'test/eight.test.js': null,
  })
  made.commit('feat: eight comes again', eight)
  return shared
}

const EXPECTED = {
  'eight comes again': 'admitted',
  'eight goes away again': 'tests-deleted',
  'eight comes for the first time': 'duplicate',
  'seven is wrong': 'none-passes',
  'six never ends': 'none-passes',
  'five asks the network': 'needs-network',
  'four has another name each time': 'flaky',
  'three is described in words': 'admitted',
  'two shares its work with a helper': 'admitted',
  'a calculator': 'root',
}

const tableOf = ({ commits }: { commits: Judged[] }) =>
  Object.fromEntries(
    commits.map((one) => [one.subject.replace(/^\w+: /, ''), one.code ?? one.verdict]),
  )

describe('proofboard tasks mine', () => {
  it(
    'tells what red, gold and the proof show, and goes on after kill -9',
    async () => {
      const out = join(root, 'killed')
      const { child, ended } = start(argsOf('killed', ['--concurrency', '1']))
      await pollUntil(() => /"verdict": "admitted"/.test(readMined(out)), 5 * MINUTES)
      await sleep(1000)
      child.kill('SIGKILL')
      await ended
      const before = JSON.parse(readMined(out))
      const isOurs = ({ environment, cwd }: RunningProcess) =>
        `${environment} ${cwd}`.includes(root)
      await pollUntil(() => !listProcesses().some(isOurs))
      await pollUntil(() => readdirSync(join(root, 'tmp')).length === 0)
      expect(before.counts.judged).toBeLessThan(10)
      const mined = await mine('killed', '--concurrency', '2')
      expect(tableOf(mined)).toEqual(EXPECTED)
      const by = Object.fromEntries(mined.commits.map((one) => [one.subject.split(' ')[1], one]))
      expect(by.two).toMatchObject({ wrong: 2, notes: [] })
      expect(by.three).toMatchObject({ wrong: 1, notes: ['its tests pass with last-files alone'] })
      const tasks = readdirSync(out).filter((name) => !name.endsWith('.json'))
      expect(tasks).toHaveLength(3)
      for (const task of tasks) expect(existsSync(join(out, task, 'proof.json'))).toBe(true)
    },
    15 * MINUTES,
  )

  it(
    'names the set-up that fails, and the one that wants the network',
    async () => {
      const runner = ['--verify', 'node --test --test-reporter=tap', '--report', 'node']
      const failed = await mine('failed', ...runner, '--setup', 'false', '--max-commits', '1')
      expect(failed.commits.map((one) => one.code)).toEqual(['setup-fails'])
      const asking =
        "node -e \"require('dns').lookup('a.example.org', (e) => { console.error(String(e)); console.error('gave up'); process.exit(1) })\""
      const request = await mine(
        'asked',
        ...runner,
        '--setup',
        asking,
        '--offline',
        '--max-commits',
        '1',
      )
      expect(request.commits.map((one) => one.code)).toEqual(['needs-network'])
    },
    5 * MINUTES,
  )

  it(
    'hides what came later from the subject',
    async () => {
      const runner = ['--verify', 'node --test --test-reporter=tap', '--report', 'node']
      await mine('hidden', ...runner, '--no-self-contained', '--until', '2026-01-01 00:05:00 +0000')
      const look = [
        ...[
          'git log --all --format=%H%n%B',
          'git for-each-ref',
          'git reflog --all',
          'git stash list',
        ],
        ...[
          'git remote -v',
          'git count-objects -v',
          'cat .git/objects/info/alternates',
          'cat .git/config',
        ],
        ...['git fsck --unreachable --lost-found', 'ls -a . .. test', `git cat-file -t ${gold}`],
        'git cat-file --batch-all-objects --batch',
      ].join('; ')
      const run = await start([
        ...['run', '--suite', join(root, 'hidden'), '--subject', 'command', '--name', 'looker'],
        ...[
          '--subject-version',
          '1',
          '--command',
          `( ${look} ) 2>&1; true`,
          '--out',
          join(root, 'run'),
        ],
      ]).ended
      const seen = logsBelow(join(root, 'run'))
      expect(seen, run.stderr).toContain('base')
      expect(seen).toMatch(/alternates: No such file/)
      expect(seen).not.toContain(gold)
      expect(seen).not.toMatch(/two\.test\.js|shares its work|work\.js/)
      expect(seen).not.toContain(history.root)
    },
    5 * MINUTES,
  )
})

function readMined(out: string): string {
  try {
    return readFileSync(join(out, 'mined.json'), 'utf8')
  } catch {
    return ''
  }
}

/** Reads what the subject printed. */
function logsBelow(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  return paths
    .filter((entry) => entry.isFile() && /subject|agent/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}
