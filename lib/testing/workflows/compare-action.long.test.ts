import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { type GithubStandIn, startGithub } from '../factories/github-stand-in.ts'
import { playWorkflow } from './play-workflow.ts'
import { readAction } from './read-workflows.ts'

const TASKS = [
  'lru-cache',
  'glob-matcher',
  'csv-parser',
  'rate-limiter',
  'json-patch',
  'interval-set',
]
const SOURCE = join(PROJECT_ROOT, 'exercises', 'typescript')
const folder = mkdtempSync(join(tmpdir(), 'proofboard-action-'))
const repository = join(folder, 'shop')
const git = (...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-C', repository, ...args],
    {
      encoding: 'utf8',
    },
  ).trim()
let github: GithubStandIn
const commits: string[] = []

/** Six tasks, and the subject that the commit measures; every commit is one state of a pull request. */
function commit(subject: string): string {
  writeFileSync(
    join(repository, 'proofboard.yaml'),
    `schemaVersion: 1\nsuite: bench\nsubjects:\n  - subject: ${subject}\n`,
  )
  git('add', '--all')
  git('commit', '--quiet', '--message', subject)
  return git('rev-parse', 'HEAD')
}

beforeAll(async () => {
  github = await startGithub()
  const bench = join(repository, 'bench')
  mkdirSync(bench, { recursive: true })
  const about = JSON.parse(readFileSync(join(SOURCE, 'suite.json'), 'utf8'))
  writeFileSync(join(bench, 'suite.json'), JSON.stringify({ ...about, suiteId: 'bench' }))
  for (const name of ['tsconfig.json', ...TASKS])
    cpSync(join(SOURCE, name), join(bench, name), { recursive: true })
  writeFileSync(join(repository, '.gitignore'), '.proofboard/\n')
  git('init', '--quiet')
  commits.push(commit('reference'), commit('nop'))
}, 60_000)
afterAll(async () => {
  await github.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The action as a pull request from the first commit to the one that is checked out plays it. */
async function play(head: string) {
  rmSync(join(repository, '.proofboard'), { recursive: true, force: true })
  git('checkout', '--quiet', head)
  const event = join(folder, 'event.json')
  writeFileSync(
    event,
    JSON.stringify({ pull_request: { number: 7, head: { sha: head }, base: { sha: commits[0] } } }),
  )
  const action = readAction('compare')
  const { compare } = await playWorkflow(action, {
    folder: join(folder, 'play'),
    inputs: { ...action.defaults, token: github.env.GITHUB_TOKEN ?? '' },
    repository,
    github: { action_path: join(PROJECT_ROOT, '.github', 'actions', 'compare') },
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      PROOFBOARD_DATA_DIR: join(folder, 'data'),
      ...github.env,
      GITHUB_EVENT_PATH: event,
    },
  })
  const steps = new Map(compare?.runs.flat().map((step) => [step.name, step]))
  return { result: compare?.result, steps, said: JSON.stringify([...steps.values()], null, 1) }
}

describe('the action compare, played on a repository of its own', { timeout: 400_000 }, () => {
  it('measures base and head, comments once, and takes the base from the cache the next time', async () => {
    const [, head = ''] = commits
    const first = await play(head)
    expect(first.result, first.said).toBe('success')
    expect(github.comments[0]?.body, first.said).toContain('## Proofboard: worse')
    expect(github.checks).toMatchObject([{ conclusion: 'failure', head_sha: head }])
    expect(first.steps.get('Measure the base')?.outcome).toBe('success')

    const again = await play(head)
    expect(again.steps.get('Measure the base')?.outcome, again.said).toBe('skipped')
    expect(github.comments).toHaveLength(1)
    // A person reads this file (CONTRIBUTING.md).
    mkdirSync(join(PROJECT_ROOT, '.tmp'), { recursive: true })
    writeFileSync(join(PROJECT_ROOT, '.tmp', 'comment.md'), github.comments[0]?.body ?? '')
  })

  it('says neutrally that the base has no project file yet', async () => {
    const [, head = ''] = commits
    git('checkout', '--quiet', '--orphan', 'empty')
    git('rm', '--quiet', '-r', '--cached', '.')
    git('commit', '--quiet', '--allow-empty', '--message', 'empty')
    commits[0] = git('rev-parse', 'HEAD')
    git('checkout', '--quiet', '--force', head)
    const played = await play(head)
    expect(played.steps.get('Measure the base')?.said).toContain('does not exist')
    expect(played.result, played.said).toBe('success')
    expect(github.comments.at(-1)?.body).toContain('The base commit has no results')
    expect(github.checks.at(-1)).toMatchObject({ conclusion: 'neutral' })
  })
})
