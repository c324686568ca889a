import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { serveGit } from '#lib/testing/factories/serve-git.ts'
import { writeHarborTask } from '../harbor-task.fixture.ts'
import { importDataset } from './import-dataset.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
let registry: unknown = []
const server = createServer((request, response) => {
  if (request.url === '/registry.json') response.end(JSON.stringify(registry))
  else serveGit(root, request, response)
})
let address: string
let commits: string[]

beforeAll(async () => {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org']
  const git = (...args: string[]) =>
    execFileSync('git', [...who, '-C', join(root, 'work'), ...args], { encoding: 'utf8' }).trim()
  const commit = () => {
    git('add', '-A')
    git('commit', '-qm', 'tasks')
    return git('rev-parse', 'HEAD')
  }
  execFileSync('git', ['init', '-q', join(root, 'work')])
  const tasks = join(root, 'work', 'tasks')
  writeHarborTask(tasks, {}, 'greet')
  writeHarborTask(tasks, { 'task.toml': 'x' }, 'broken')
  const first = commit()
  writeHarborTask(tasks, { 'instruction.md': 'Changed later.\n' }, 'greet')
  symlinkSync('/etc', join(tasks, 'broken', 'environment', 'link'))
  commits = [first, commit()]
  execFileSync('git', ['clone', '-q', '--bare', join(root, 'work'), join(root, 'tasks.git')])
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const task = (path: string, commitId: string | undefined, more: object = {}) => ({
    git_url: `${address}/tasks.git`,
    git_commit_id: commitId,
    path,
    ...more,
  })
  registry = [
    {
      name: 'greetings',
      version: '1.0',
      tasks: [task('tasks/greet', commits[0], { name: 'me/hi' }), task('tasks/broken', commits[0])],
    },
    { name: 'greetings', version: '2.0', tasks: [task('tasks/greet', commits[1])] },
    { name: 'bad', version: 'link', tasks: [task('tasks/broken', commits[1])] },
    { name: 'bad', version: 'head', tasks: [task('tasks/greet', 'HEAD')] },
    { name: 'bad', version: 'out', tasks: [task('../greet', commits[0])] },
    { name: 'bad', version: 'local', tasks: [task('x', commits[0], { git_url: root })] },
    { name: 'bad', version: 'ext', tasks: [task('x', commits[0], { git_url: 'ext::sh -c id' })] },
    { name: 'bad', version: 'none', tasks: [task('tasks', commits[0])] },
    { name: 'bad', version: 'gone', tasks: [task('tasks/greet', 'a'.repeat(40))] },
    { name: 'bad', version: 'twice', tasks: [task('a/x', commits[0]), task('b/X', commits[0])] },
  ]
})
afterAll(() => {
  server.close()
  rmSync(root, { recursive: true, force: true })
})

const data = join(root, 'data')
const start = (...args: string[]) => startProofboard(data, args).ended
const told: string[] = []
const load = (name: string, from = `${address}/registry.json`) =>
  importDataset(name, { registry: from, data, report: (line) => void told.push(line) })

describe('a data set of Harbor’s registry', () => {
  it('becomes a suite of the commits that the registry pins, once', async () => {
    const from = ['--registry', `${address}/registry.json`, '--json']
    const { code, stdout, stderr } = await start(
      'suite',
      'import',
      'harbor',
      'greetings@1.0',
      ...from,
    )
    expect(code, stderr).toBe(0)
    const folder = join(data, 'harbor', 'greetings-1.0')
    const done = { suite: 'greetings-1.0', folder, tasks: 1, leftOut: ['broken'] }
    expect(lastJson(stdout)).toEqual(done)
    expect(stderr).toMatch(/broken is left out: broken\/task.toml: line 1/)
    expect(readFileSync(join(folder, 'hi', 'instruction.md'), 'utf8')).toContain('in lower case')
    expect(JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8'))).toMatchObject({
      tasks: [{ name: 'hi', commit: commits[0] }, { name: 'broken' }],
    })
    const shown = await start('suite', 'show', 'greetings-1.0')
    expect(shown.stdout, shown.stderr).toContain('hi')
    const file = join(root, 'registry.json')
    writeFileSync(file, JSON.stringify(registry))
    expect(await load('greetings@1.0', file)).toMatchObject({ suite: 'greetings-1.0', tasks: 1 })
    expect(told).toEqual([])
    const changed = (registry as { tasks: object[] }[]).slice(0, 1)
    writeFileSync(file, JSON.stringify(changed).replaceAll(commits[0] ?? '', commits[1] ?? ''))
    await expect(load('greetings@1.0', file)).rejects.toThrow('has other commits of greetings@1.0')
  })

  it.each([
    ['bad@link', 'tasks/broken/environment/link is a link or another repository'],
    ['bad@head', 'tasks.0.git_commit_id is not a whole commit, so that it pins nothing'],
    ['bad@out', 'bad@out cannot be imported: tasks.0.path'],
    ['bad@local', 'is a folder of this machine'],
    ['bad@ext', 'tasks.0.git_url is not the address of a git repository'],
    ['bad@none', 'tasks has no task.toml, so it is not a task'],
    ['bad@gone', 'cannot get aaaa'],
    ['bad@twice', 'it has two tasks with the name x'],
    ['greetings@3.0', 'no data set greetings@3.0, but 2 other versions: 1.0, 2.0'],
    ['other@1.0', 'has no data set other@1.0'],
    ['greetings', '"greetings" is not a data set: write its name and version'],
  ])('%s is refused, and leaves nothing', async (name, why) => {
    await expect(load(name)).rejects.toThrow(why)
    const folder = join(data, 'harbor')
    const left = existsSync(folder) ? readdirSync(folder) : []
    expect(left.filter((one) => one !== 'greetings-1.0')).toEqual([])
  })

  it.each([
    ['http://192.0.2.1/registry.json', '--registry: use https'],
    ['absent.json', 'absent.json is not a file: name a registry.json or its address'],
  ])('is not looked for in %s', async (from, why) => {
    await expect(load('greetings@1.0', from)).rejects.toThrow(why)
  })
})
