import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { link, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestJson } from '#lib/domain/digest/index.ts'
import { type AuditContext, runAuditPlan } from '../audit/play-solution.ts'
import { ReferenceChecks } from '../engine/reference-checks.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { loadSuite } from '../kinds/load-suite.ts'
import { repositoryAdapter } from '../kinds/repository/repository-adapter.ts'
import { local } from '../sandbox/isolation/local.ts'
import { nop, reference } from '../subjects/controls.ts'
import { DONE, type SubjectDriver } from '../subjects/subject-driver.ts'
import { readRepositoryTask } from '../suites/read-repository-task.ts'
import { proveRepositories } from '../suites/verify/prove-repository.ts'
import { commitBase } from './check-out.ts'
import { judgeWork } from './judge-work.ts'
import { openJudging } from './open-judging.ts'
import { type BaseSettings, prepareBase } from './prepare-base.ts'
import { takeChanges } from './take-changes.ts'
import { copyTree, readTree } from './tree.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
chmodSync(root, 0o755) // at `local` agents and commands are another user
afterAll(() => rmSync(root, { recursive: true, force: true }))

let settings: BaseSettings
beforeAll(async () => {
  const temporary = join(root, 'tmp')
  mkdirSync(temporary)
  settings = {
    isolation: await openJudging(null),
    temporary,
    cache: join(root, 'cache'),
    runMark: 'proofboard-test',
    signal: new AbortController().signal,
  }
})

const YAML = `id: double
title: Doubles
category: bug
difficulty: easy
instruction: double.sh must print twice its argument.
source: { folder: repo }
setup: ["printf made > made.txt"]
verify: { command: sh judge.sh, report: { format: tap }, timeout: 60 }
`
const JUDGE = `n=0
for case in cases*.txt; do
  while read -r in out; do
    n=$((n + 1))
    [ "$(. ./double.sh "$in")" = "$out" ] && echo "ok $n - $case $in" || { echo "not ok $n - $case $in"; bad=1; }
  done < "$case"
done
echo "1..$n"
exit \${bad:-0}
`
/** A verify script that prints the real one's output for a solution. */
const REWRITTEN =
  'printf "ok 1 - cases.txt 0\\nok 2 - cases.txt 1\\nok 3 - cases.txt 4\\n1..3\\n"\n'
const FILES: Record<string, string> = {
  'task.yaml': YAML,
  'repo/double.sh': 'echo "$1"\n',
  'repo/README.md': 'Doubles.\n',
  'tests/judge.sh': JUDGE.replaceAll('. ./double.sh "$in"', 'set -- "$in"; . ./double.sh'),
  'tests/cases.txt': '1 2\n4 8\n0 0\n',
  'canary/cases-{{canary}}.txt': '{{canary}} no\n',
  'solution/double.sh': 'echo "$(($1 * 2))"\n',
  'wrong/adds/double.sh': 'echo "$(($1 + 1))"\n',
}

/** Creates a suite with one task, in its own folder. */
function makeTask(name: string, changes: Record<string, string | null> = {}): string {
  const suite = join(root, name)
  const about = { suiteId: name, kind: 'repository', title: name, description: '', version: '1' }
  const task = Object.entries({ ...FILES, ...changes }).map(([path, text]) => [
    `double/${path}`,
    text,
  ])
  for (const [path, text] of [...task, ['suite.json', JSON.stringify(about)]]) {
    if (typeof path !== 'string' || typeof text !== 'string') continue
    mkdirSync(dirname(join(suite, path)), { recursive: true })
    writeFileSync(join(suite, path), text)
  }
  return join(suite, 'double')
}

async function prove(folder: string, runs: number) {
  const task = await readRepositoryTask(folder)
  const how = { ...settings, concurrency: 1, runs, onTask: () => {} }
  return proveRepositories([task], how)
}

describe('a proven task', () => {
  let folder: string
  beforeAll(async () => {
    folder = makeTask('proven')
    expect((await prove(folder, 2)).deviations).toEqual([])
  })

  it('stores the expected names, and is part of a suite', async () => {
    const { suite, tasks } = await loadSuite(
      { suiteId: 'proven', folder: dirname(folder), origin: 'own' },
      () => {
        throw new Error('asked for the verifier of exercises')
      },
    )
    expect(suite.kind).toBe('repository')
    expect(tasks[0]?.task).toMatchObject({
      expectedTests: ['cases.txt 0', 'cases.txt 1', 'cases.txt 4'],
    })
    writeFileSync(join(folder, 'tests/cases.txt'), '1 2\n4 8\n0 0\n5 10\n')
    expect((await readRepositoryTask(folder)).unproven).toMatch(/changed since it was proven/)
    writeFileSync(join(folder, 'tests/cases.txt'), FILES['tests/cases.txt'] as string)
  })

  it('is prepared once, and again where the prepared tree was changed', async () => {
    const task = await readRepositoryTask(folder)
    const base = await prepareBase(task, settings)
    expect(base.entries.map(({ path }) => path)).toEqual(['README.md', 'double.sh', 'made.txt'])
    writeFileSync(join(base.folder, 'double.sh'), 'echo "$(($1 * 2))"\n')
    const again = await prepareBase(task, settings)
    expect(again.digest).toBe(base.digest)
    expect(readFileSync(join(again.folder, 'double.sh'), 'utf8')).toBe('echo "$1"\n')
  })

  const LIES: [string, string, RegExp][] = [
    ['says that all passed', 'echo "13 of 13 passed"; exit 0\n', /tests: .*failed|passed/],
    [
      'ends the script with a report of its own',
      'exec 1>/proc/$PPID/fd/1; printf "ok 1 - cases.txt 0\\nok 2 - cases.txt 1\\nok 3 - cases.txt 4\\n1..3\\n" >&1; kill -9 $PPID\n',
      /.*/,
    ],
  ]
  it.each(LIES)('is not solved by what %s', async (_, text) => {
    const task = await readRepositoryTask(folder)
    const base = await prepareBase(task, settings)
    const changes = [{ path: 'double.sh', bytes: Buffer.from(text), executable: false }]
    const { contract, findings } = await judgeWork(
      task,
      base,
      { changes, findings: [], problem: null },
      settings,
    )
    expect(contract.verdict === 'pass' && findings.length === 0).toBe(false)
  })

  it('names a solution that answers by the expected names alone', async () => {
    const task = await readRepositoryTask(folder)
    const base = await prepareBase(task, settings)
    const table = 'case $1 in 1) echo 2 ;; 4) echo 8 ;; 0) echo 0 ;; *) echo no ;; esac\n'
    const changes = [{ path: 'double.sh', bytes: Buffer.from(table), executable: false }]
    const work = { changes, findings: [], problem: null }
    const { findings } = await judgeWork(task, base, work, settings)
    expect(findings.map(({ code }) => code)).toEqual(['canary-not-reported'])
  })

  it('stops a command that hangs', async () => {
    const task = await readRepositoryTask(folder)
    const base = await prepareBase(task, settings)
    const verify = { ...task.task.verify, timeoutMs: 500 }
    const hurried = { ...task, task: { ...task.task, verify } }
    const changes = [{ path: 'double.sh', bytes: Buffer.from('sleep 600\n'), executable: false }]
    const work = { changes, findings: [], problem: null }
    const { contract } = await judgeWork(hurried, base, work, settings)
    expect(contract.assertions.map(({ observed }) => observed)).toContain(
      'did not end within 0.5 s: raise verify.timeout in task.yaml',
    )
  })

  it('is solved by the reference alone, in the pipeline of every run', async () => {
    const played = [await readRepositoryTask(folder)]
    const context: AuditContext = {
      suite: { suiteId: 'proven', digest: digestJson('proven') },
      environment: await resolveEnvironment(await local.record()),
      concurrency: 1,
      signal: settings.signal,
      folder: root,
    }
    const outcomeOf = async (driver: SubjectDriver, name: string) => {
      const { isolation: judging, cache } = settings
      const checks = new ReferenceChecks()
      const adapter = repositoryAdapter(driver, { isolation: local, judging, cache, checks })
      const { subject } = driver
      const attempts = await runAuditPlan({ name, adapter, subject, played }, context)
      return attempts.get('double')?.at(-1)
    }
    const linking: SubjectDriver = {
      ...nop,
      act: async ({ workspace }) => {
        const log = execFileSync('git', ['-C', workspace, 'log', '--all', '--oneline']).toString()
        expect(log.trim().split('\n')).toHaveLength(1)
        expect(readdirSync(workspace).sort()).toEqual([
          '.git',
          'README.md',
          'double.sh',
          'made.txt',
        ])
        await symlink('/etc/passwd', join(workspace, 'out'))
        return DONE
      },
    }
    const rewriting: SubjectDriver = {
      ...nop,
      act: async ({ workspace }) => {
        writeFileSync(join(workspace, 'judge.sh'), REWRITTEN)
        return DONE
      },
    }
    const rewritten = await outcomeOf(rewriting, 'rewriting')
    expect(rewritten?.contract).toMatchObject({ verdict: 'fail', executedTests: 3, passedTests: 1 })
    expect((await outcomeOf(reference, 'reference'))?.outcome.status).toBe('solved')
    expect((await outcomeOf(nop, 'nop'))?.outcome.status).toBe('unsolved')
    const tampered = await outcomeOf(linking, 'linking')
    expect(tampered?.outcome).toMatchObject({
      status: 'tampered',
      findings: [{ code: 'link-out-of-tree' }],
    })
  })
})

describe('a task that cannot be proven', () => {
  it.each([
    ['no solution', { 'solution/double.sh': null }, /no solution/],
    [
      'a wrong solution',
      { 'solution/double.sh': 'echo "$1"\n' },
      /nop should not|not solved|run 1|should/,
    ],
    ['tests that anything passes', { 'tests/cases.txt': '0 0\n' }, /nop should not be solved/],
    ['no report', { 'tests/judge.sh': 'exit 0\n' }, /report is empty/],
  ])(
    'has %s: it is listed with the reason, and nothing is written',
    async (name, changes, reason) => {
      const folder = makeTask(name.replaceAll(' ', '-'), changes)
      const { deviations } = await prove(folder, 1)
      expect(deviations.map(({ deviates }) => deviates).join('; ')).toMatch(reason)
      expect(readdirSync(folder)).not.toContain('proof.json')
    },
  )

  it.each([
    ['source: { git: "--upload-pack=touch pwned", commit: X }', /must not start with "-"/],
    ['source: { git: "ext::sh -c touch% pwned", commit: X }', /transport helper|spaces/],
    ['source: { folder: ../../etc }', /stays inside/],
    ['verify: { command: "true", report: { format: tap, path: ../x } }', /stays inside/],
  ])('is refused by one sentence: %s', async (line, reason) => {
    const [key = ''] = line.split(':')
    const kept = YAML.split('\n').filter((one) => !one.startsWith(key))
    const yaml = [...kept, line.replace('X', 'a'.repeat(40))].join('\n')
    const folder = makeTask(`bad-${digestJson(line).slice(-8)}`, { 'task.yaml': yaml })
    await expect(readRepositoryTask(folder)).rejects.toThrow(reason)
  })
})

it('takes files alone out of a workspace, and names what leads out of it', async () => {
  const [from, workspace] = [join(root, 'from'), join(root, 'workspace')]
  mkdirSync(join(from, 'src'), { recursive: true })
  for (const name of ['a', 'b', 'src/c']) writeFileSync(join(from, name), name)
  const base = await readTree(from)
  await copyTree(base, from, workspace)
  expect(await commitBase(workspace)).toBe(true)
  writeFileSync(join(workspace, 'a'), 'changed')
  rmSync(join(workspace, 'b'))
  rmSync(join(workspace, 'src'), { recursive: true })
  await symlink('/etc', join(workspace, 'src'))
  writeFileSync(join(workspace, 'one'), '1')
  await link(join(workspace, 'one'), join(workspace, 'two'))
  writeFileSync(join(root, 'outside'), '1')
  await link(join(root, 'outside'), join(workspace, 'three'))
  const work = await takeChanges(base, workspace, { permissionOf: () => 'allowed', droppings: [] })
  expect(work.changes.map(({ path, bytes }) => [path, bytes?.toString() ?? null])).toEqual([
    ['a', 'changed'],
    ['b', null],
    ['one', '1'],
    ['src/c', null],
    ['two', '1'],
  ])
  const codes = new Set(work.findings.map(({ code }) => code))
  expect([...codes].sort()).toEqual(['hard-link', 'link-out-of-tree'])
})

it('takes a file that its owner closed for work that cannot be judged, never for a failure of ours', async () => {
  const [from, workspace] = [join(root, 'closed-from'), join(root, 'closed')]
  mkdirSync(from)
  for (const name of ['a', 'b']) writeFileSync(join(from, name), name)
  const base = await readTree(from)
  await copyTree(base, from, workspace)
  chmodSync(join(workspace, 'a'), 0)
  chmodSync(root, 0o755)
  const asOther = process.geteuid?.() === 0 // root reads everything
  if (asOther) process.seteuid?.(65_534)
  try {
    const rules = { permissionOf: () => 'allowed' as const, droppings: [] }
    const { changes, problem } = await takeChanges(base, workspace, rules)
    expect([changes, problem]).toEqual([[], 'a EACCES'])
  } finally {
    if (asOther) process.seteuid?.(0)
  }
})
