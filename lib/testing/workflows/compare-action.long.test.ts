// @module-tag night
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GitHistory } from '#lib/testing/factories/git-history.ts'
import { type GithubStandIn, startGithub } from '#lib/testing/factories/github-stand-in.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { playAction } from './play-action.ts'

// The steps of the action in order, with a control as the agent: no key, no network.

const root = mkdtempSync(join(tmpdir(), 'proofboard-action-'))
const data = join(root, 'data')
const cache = join(root, 'cache')
let github: GithubStandIn
let shop: GitHistory
let [base, head, main] = ['', '', '']

const project = (subject: string) => ({
  'proofboard.yaml': `schemaVersion: 1\nsuite: small\nsubjects:\n  - { ${subject} }\n`,
})

beforeAll(async () => {
  github = await startGithub()
  temporarySuite(data, 'small', ['lru-cache'])
  mkdirSync(cache)
  shop = new GitHistory(join(root, 'shop'))
  base = shop.commit('base', project('subject: reference'))
  shop.git('checkout', '--quiet', '-b', 'feature')
  head = shop.commit('head', project('subject: nop'))
  shop.git('checkout', '--quiet', 'main')
  main = shop.commit('main moved on', { 'README.md': 'later\n' })
})
afterAll(async () => {
  await github.close()
  rmSync(root, { recursive: true, force: true })
})

function play(kind: 'push' | 'pull' | 'fork', name: string) {
  const folder = join(root, name)
  shop.git('clone', '--quiet', shop.root, folder)
  const git = (...args: string[]) => shop.git('-C', folder, ...args)
  git('checkout', '--quiet', main)
  if (kind !== 'push') git('merge', '--quiet', '--no-ff', '--message', 'merge', head)
  const owner = kind === 'fork' ? 'eve/shop' : 'acme/shop'
  const pull = {
    number: 7,
    head: { sha: head, repo: { full_name: owner } },
    base: { sha: base, repo: { full_name: 'acme/shop' } },
  }
  return playAction('compare', {
    folder,
    cache,
    sha: git('rev-parse', 'HEAD'),
    event: kind === 'push' ? { before: base } : { pull_request: pull },
    inputs: { token: github.env.GITHUB_TOKEN ?? '', ...(kind === 'push' && { warm: 'true' }) },
    env: { ...github.env, PROOFBOARD_DATA_DIR: data },
  })
}

it('measures and caches the base on a push, and posts nothing', { timeout: 600_000 }, async () => {
  const { steps, printed } = await play('push', 'push')
  expect(steps, printed).toEqual(
    expect.arrayContaining([
      'Measure the head: skipped',
      'Measure the base: exit 0',
      'Keep them: saved',
      'Say the difference: skipped',
    ]),
  )
  expect(github.requests).toEqual([])
})

it('compares a pull request with that base, in one comment and a check', {
  timeout: 600_000,
}, async () => {
  const { steps, printed, summary } = await play('pull', 'pull')
  expect(steps, printed).toEqual(
    expect.arrayContaining(['Results of the base: hit', 'Measure the base: skipped']),
  )
  expect(github.checks).toMatchObject([{ head_sha: head }])
  expect(github.comments).toHaveLength(1)
  expect(summary).toContain('## Proofboard')
})

it('edits the comment of an earlier run', { timeout: 600_000 }, async () => {
  await play('pull', 'again')
  expect(github.comments).toHaveLength(1)
  expect(github.checks).toHaveLength(2)
})

it('skips a pull request of a fork without a key, and says so', { timeout: 600_000 }, async () => {
  shop.git('checkout', '--quiet', 'feature')
  head = shop.commit('an agent', project('subject: claude, model: claude-sonnet-5'))
  const before = github.requests.length
  const { steps, summary } = await play('fork', 'fork')
  expect(summary).toBe('no key on pull requests of forks: skipped\n')
  expect(steps).toContain('Say the difference: skipped')
  expect(github.requests).toHaveLength(before)
})
