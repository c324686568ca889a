import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { GitHistory } from '#lib/testing/factories/git-history.ts'
import { pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'

let root: string
let history: GitHistory
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'mine-'))
  chmodSync(root, 0o755) // at `local` agents and commands are another user
  history = makeHistory(join(root, 'calc'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const proofboard = (...args: string[]) => proofboardHere(join(root, 'data'), args)
const mine = (out: string, ...more: string[]) =>
  proofboard('tasks', 'mine', history.root, '--out', join(root, out), '--runs', '1', ...more)

const test = (name: string, body: string) =>
  `const test = require('node:test')\nconst assert = require('node:assert')\ntest('${name}', () => { ${body} })\n`
const adds = test('adds', "assert.equal(require('../calc.js').add(1, 2), 3)")
const multiplies = test('multiplies', "assert.equal(require('../calc.js').multiply(2, 3), 6)")
const ADD = 'exports.add = (a, b) => a + b\n'

/** Makes one commit of each kind that git alone can tell, one that is a task, and one whose tests pass before it. */
function makeHistory(folder: string): GitHistory {
  const made = new GitHistory(folder)
  made.commit('feat: a calculator that adds', {
    'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
    'calc.js': ADD,
    'test/add.test.js': adds,
    'test/old.test.js': adds,
  })
  made.commit('feat: the calculator multiplies\n\nCloses: #7\nSigned-off-by: A <a@example.org>', {
    'calc.js': `${ADD}exports.multiply = (a, b) => a * b\n`,
    'test/multiply.test.js': multiplies,
  })
  const code = `${ADD}exports.multiply = (a, b) => b * a\n`
  made.commit('refactor: factors the other way round', { 'calc.js': code })
  made.commit('test: zeros are added', { 'test/zero.test.js': adds.replace('adds', 'zeros') })
  made.commit('fix: documents what is tested already', {
    'calc.js': `// adds\n${code}`,
    'test/again.test.js': adds.replace('adds', 'again'),
  })
  made.commit('feat: a picture of the calculator', {
    'logo.bin': Buffer.from([0, 1, 2, 0]),
    'test/logo.test.js': adds,
  })
  made.commit('feat: a table of all products', {
    'table.txt': 'product\n'.repeat(2000),
    'test/table.test.js': adds,
  })
  made.commit('feat: a name that breaks lines', { 'a\nb.js': '', 'test/name.test.js': adds })
  made.commit('feat: a link to the secrets', { link: { link: '/etc' }, 'test/link.test.js': adds })
  made.commit('chore: the link to the secrets goes', { link: null, 'a\nb.js': null })
  made.commit('refactor: old tests are gone', { 'test/old.test.js': null, 'calc.js': code })
  made.commit('wip', { 'calc.js': `${code}\n`, 'test/wip.test.js': adds })
  made.git('update-index', '--add', '--cacheinfo', `160000,${made.git('rev-parse', 'HEAD')},lib`)
  made.git('commit', '--quiet', '--message', 'feat: a library as a submodule')
  made.commit('test: and its test', {})
  made.git('checkout', '--quiet', '-b', 'side', 'HEAD~3')
  made.commit('docs: on the side', { 'README.md': 'side\n' })
  made.git('checkout', '--quiet', 'main')
  made.git('merge', '--quiet', '--no-ff', '--no-edit', 'side')
  return made
}

describe('proofboard tasks mine', () => {
  it('judges every commit, admits what is proven, and goes on where it was', async () => {
    const first = await mine('whole', '--json', '--max-commits', '3')
    expect(first.code, first.stderr).toBe(0)
    const again = await mine('whole', '--json')
    expect(again.stderr).toContain('guessed: node --test')
    expect(again.stderr).toContain('candidates of 15 commits')
    expect(again.stderr).not.toContain('changes no test')
    const mined = JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '')
    const table = mined.commits.map((one: { subject: string; code?: string; verdict: string }) => [
      one.subject.split(/: | /).slice(1).join(' '),
      one.code ?? one.verdict,
    ])
    expect(Object.fromEntries(table)).toEqual({
      "branch 'side'": 'no-tests',
      'and its test': 'no-tests',
      'a library as a submodule': 'no-tests',
      '': 'message-empty',
      'old tests are gone': 'tests-deleted',
      'the link to the secrets goes': 'no-tests',
      'a link to the secrets': 'symlink',
      'a name that breaks lines': 'odd-path',
      'a table of all products': 'too-large',
      'a picture of the calculator': 'binary',
      'documents what is tested already': 'not-red',
      'zeros are added': 'only-tests',
      'factors the other way round': 'no-tests',
      'the calculator multiplies': 'admitted',
      'a calculator that adds': 'root',
    })
    expect(mined.counts).toMatchObject({ judged: 15, admitted: 1 })
  })

  it('leaves a suite whose tasks are proven, and nothing half-written', async () => {
    const out = join(root, 'whole')
    const [task = '', ...rest] = readdirSync(out).filter((name) => name.startsWith('the-'))
    expect(rest).toEqual([])
    expect(readdirSync(out).sort()).toEqual(['mined.json', 'suite.json', task])
    const read = (path: string) => readFileSync(join(out, task, path), 'utf8')
    expect(read('instruction.md')).toContain('# feat: the calculator multiplies\n\nCloses: #7\n')
    expect(read('instruction.md')).not.toContain('example.org')
    expect(read('solution/solution.patch')).toContain('+exports.multiply = (a, b) => a * b')
    expect(read('repo/calc.js')).toBe(ADD)
    expect(existsSync(join(out, task, 'repo/.git'))).toBe(false)
    expect(existsSync(join(out, task, 'repo/test/multiply.test.js'))).toBe(false)
    expect(JSON.parse(read('proof.json'))).toMatchObject({ expectedTests: ['multiplies'] })
    const shown = await proofboard('suite', 'show', out)
    expect(shown.stdout).toContain(`${task}`)
  })

  it('mines no folder on with other options', async () => {
    const { code, stderr } = await mine('whole', '--name-tests')
    expect(code).toBe(2)
    expect(stderr).toContain('with other options: repeat them, or choose another --out')
  })
})

it('ended by Ctrl-C it exits with 130, and leaves what was judged and no draft', async () => {
  const out = join(root, 'stopped')
  const temporary = join(root, 'tmp')
  mkdirSync(temporary)
  const waits = ['--verify', 'sleep 100', '--report', 'tap']
  const { child, ended } = startProofboard(
    join(root, 'data'),
    ['tasks', 'mine', history.root, '--out', out, '--runs', '1', ...waits],
    { TMPDIR: temporary },
  )
  await pollUntil(() => existsSync(join(out, '.drafts')))
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect(stderr).toMatch(
    /\nstopped: run the same command to continue with the remaining commits\n$/,
  )
  expect(code).toBe(130)
  expect(readdirSync(out).sort()).toEqual(['mined.json', 'suite.json'])
  expect(readdirSync(temporary)).toEqual([])
})

it('suite verify that is ended by Ctrl-C proves nothing by what it did not judge', async () => {
  const task = join(root, 'waiting', 'waits')
  const about = { suiteId: 'waiting', kind: 'repository', title: 'w', version: '1' }
  const verify = `node --test --test-reporter=tap --test-reporter-destination={report} test/a.test.js`
  const files = {
    '../suite.json': JSON.stringify({ ...about, description: '', source: null }),
    'task.yaml': `id: waits
title: Waits
category: change
difficulty: easy
source: { folder: repo }
verify: { command: '${verify}', report: { format: tap }, timeout: 200 }
`,
    'instruction.md': 'Add.',
    // The empty solution is judged last and never exits by itself.
    'repo/calc.js':
      "require('fs').writeFileSync('asleep', '')\nrequire('child_process').execSync('sleep 100')\n",
    'tests/test/a.test.js': adds,
    'solution/calc.js': ADD,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(task, path)), { recursive: true })
    writeFileSync(join(task, path), text)
  }
  const temporary = join(root, 'tmp-waiting')
  mkdirSync(temporary)
  const args = ['suite', 'verify', dirname(task), '--runs', '1']
  const { child, ended } = startProofboard(join(root, 'data'), args, { TMPDIR: temporary })
  const isAsleep = () => {
    try {
      const paths = readdirSync(temporary, { recursive: true })
      return paths.some((path) => String(path).endsWith('/asleep'))
    } catch (error) {
      // Files of other judgements are removed during the listing.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }
  await pollUntil(isAsleep)
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect(stderr.trim().split('\n').at(-1)).toBe(
    'stopped before the end: run the same command again',
  )
  expect(code).toBe(130)
  expect(existsSync(join(task, 'proof.json'))).toBe(false)
})

describe('bad input is one line and exit code 2', () => {
  it.each([
    [['--upload-pack=touch /tmp/x'], "unknown option '--upload-pack"],
    [
      ['--', '--upload-pack=touch /tmp/x'],
      'must not start with "-": git would read it as an option',
    ],
    [['ext::sh -c id'], 'must not contain spaces'],
    [['ext::sh'], 'must not name a transport helper such as ext::'],
    [['http://example.org/a'], 'must be https://, ssh://, file:// or a path'],
    [['ssh://-oProxyCommand=id/a'], 'must not name a host that starts with "-"'],
    [['/nowhere/at/all'], '/nowhere/at/all does not exist: enter a git repository'],
    [['.', '--branch', '--all'], '--branch must be the name of a branch or tag, not "--all"'],
    [['.', '--since', '--exec=id'], '--since must be a date such as 2026-01-31'],
    [['.', '--verify', 'true'], '--verify and --report belong together'],
    [['.', '--runs', '0'], '--runs must be a whole number from 1'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await proofboard('tasks', 'mine', '--out', join(root, 'bad'), ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(stderr.trim()).not.toContain('\n    at ')
    expect(existsSync(join(root, 'bad'))).toBe(false)
  })
})
