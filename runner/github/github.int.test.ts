import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { comparedBundle, writeResult } from '#lib/testing/factories/compared-bundle.ts'
import { type GithubStandIn, startGithub } from '#lib/testing/factories/github-stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-github-'))
const good = writeResult(
  join(folder, 'good'),
  comparedBundle('agent', 'run_good0000', () => 3),
)
const poor = writeResult(
  join(folder, 'poor'),
  comparedBundle('agent', 'run_poor0000', () => 0),
)
const [BASE, HEAD] = ['b'.repeat(40), 'a'.repeat(40)]
const event = join(folder, 'event.json')
writeFileSync(
  event,
  JSON.stringify({ pull_request: { number: 7, head: { sha: HEAD }, base: { sha: BASE } } }),
)
let github: GithubStandIn
let summary: string

beforeEach(async () => {
  github = await startGithub()
  summary = join(folder, `summary-${Math.random()}`)
  return () => github.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const report = (baseline: string, candidate: string, ...more: string[]) =>
  proofboardHere(
    join(folder, 'data'),
    ['github', 'report', '--baseline', baseline, '--candidate', candidate, ...more],
    { ...github.env, GITHUB_EVENT_PATH: event, GITHUB_STEP_SUMMARY: summary },
  )
const others = (count: number, login = 'somebody') =>
  Array.from({ length: count }, (_, id) => ({ id: id + 1, body: `comment ${id}`, user: { login } }))

describe('proofboard github key', () => {
  const pull = (fork: string | null) => ({
    number: 7,
    head: { sha: HEAD, repo: fork === null ? null : { full_name: fork } },
    base: { sha: BASE, repo: { full_name: 'ada/words' } },
  })
  const key = async (fork: string | null, subject: string, env: Record<string, string> = {}) => {
    const place = mkdtempSync(join(folder, 'project-'))
    const [config, own] = [join(place, 'proofboard.yaml'), join(place, 'event.json')]
    writeFileSync(config, `schemaVersion: 1\nsuite: typescript\nsubjects:\n  - ${subject}\n`)
    writeFileSync(own, JSON.stringify({ pull_request: pull(fork) }))
    const args = ['github', 'key', '--config', config, '--base', BASE]
    const given = { ...env, GITHUB_EVENT_PATH: own, GITHUB_STEP_SUMMARY: summary }
    return (await proofboardHere(join(folder, 'data'), args, given)).stdout
  }
  const CLAUDE = '{ subject: claude, model: claude-sonnet-5 }'

  it('skips a pull request of a fork that has no key, and says so in the summary', async () => {
    expect(await key('eve/words', CLAUDE)).toBe(`base=${BASE}\nskip=true\n`)
    expect(await key(null, CLAUDE, { ANTHROPIC_API_KEY: '' })).toContain('skip=true')
    expect(readFileSync(summary, 'utf8')).toContain('no key on pull requests of forks: skipped')
  })

  it('measures any other pull request, and what needs no key', async () => {
    expect(await key('ada/words', CLAUDE)).toMatch(/^base=b+\nkey=proofboard-b+-[0-9a-f]+\n$/)
    expect(await key('eve/words', '{ subject: reference }')).toContain('key=proofboard-')
  })
})

it('agents install --config installs what the project file names, and nothing else', async () => {
  const place = mkdtempSync(join(folder, 'project-'))
  const config = join(place, 'proofboard.yaml')
  const run = (...args: string[]) =>
    proofboardHere(join(folder, 'data'), ['agents', 'install', '--config', config, ...args])
  expect((await run()).stderr).toContain('does not exist')
  writeFileSync(
    config,
    'schemaVersion: 1\nsuite: typescript\nsubjects:\n  - { subject: reference }\n',
  )
  expect((await run()).stdout).toBe('reference is included in Proofboard: nothing to install\n')
  expect((await run('claude')).stderr).toContain('--config names the agents and their versions')
  const none = await proofboardHere(join(folder, 'data'), ['agents', 'install'])
  expect(none.stderr).toContain('name an agent, or the project file with --config')
})

describe('proofboard github report', () => {
  it('writes one comment and a red check where head is worse, and edits that comment the next time', async () => {
    const first = await report(good, poor)
    expect([first.code, first.stdout], first.stderr).toEqual([
      0,
      'comment: created\ncheck: failure, Worse\n',
    ])
    const second = await report(poor, good)
    expect(second.stdout).toBe('comment: updated\ncheck: success, Better\n')
    expect((await report(poor, good)).stdout).toContain('comment: unchanged')
    expect(github.comments).toHaveLength(1)
    expect(github.comments[0]?.body).toMatch(
      /^<!-- proofboard-compare default -->\n## Proofboard: better/,
    )
    expect(github.comments[0]?.body).toContain(
      `\`${HEAD.slice(0, 10)}\` against \`${BASE.slice(0, 10)}\``,
    )
    expect(github.checks.map(({ conclusion, head_sha }) => [conclusion, head_sha])).toEqual([
      ['failure', HEAD],
      ['success', HEAD],
      ['success', HEAD],
    ])
    expect(readFileSync(summary, 'utf8')).toContain('## Proofboard: worse')
  })

  it('is neutral where nothing is shown, and where worse is asked to be', async () => {
    const same = await report(
      good,
      writeResult(
        join(folder, 'some'),
        comparedBundle('agent', 'run_some0000', (task) => 3 - (task % 2)),
      ),
    )
    expect(same.stdout).toMatch(/check: (neutral|failure)/)
    expect((await report(good, poor, '--on-worse', 'neutral')).stdout).toContain(
      'check: neutral, Worse',
    )
  })

  it('finds its comment on a later page, and does not touch another user’s with the same marker', async () => {
    const marker = '<!-- proofboard-compare default -->\nforged'
    github.comments.push(...others(150), { id: 800, body: marker, user: { login: 'somebody' } })
    github.comments.push({
      id: 900,
      body: `${marker} ours`,
      user: { login: 'github-actions[bot]' },
    })
    expect((await report(poor, good)).stdout).toContain('comment: updated')
    expect(github.comments.find(({ id }) => id === 800)?.body).toBe(marker)
    expect(github.comments.find(({ id }) => id === 900)?.body).toContain('## Proofboard: better')
  })

  it('waits for limits and failures of the server, and never writes twice', async () => {
    const comments = /issues\/7\/comments$/
    github.faults.push(
      { method: 'GET', path: comments, status: 429, headers: { 'retry-after': '0' } },
      { method: 'GET', path: comments, status: 403, headers: { 'retry-after': '0' } },
      {
        method: 'GET',
        path: comments,
        status: 403,
        headers: {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Math.floor(Date.now() / 1000)),
        },
      },
      // The comment was written, but the response was lost.
      { method: 'POST', path: comments, status: 502, isDone: true },
      { method: 'POST', path: /check-runs$/, status: 500, headers: { 'retry-after': '0' } },
    )
    const { code, stdout, stderr } = await report(poor, good)
    expect([code, stdout], stderr).toEqual([0, 'comment: unchanged\ncheck: success, Better\n'])
    expect(github.comments).toHaveLength(1)
    expect(github.checks).toHaveLength(1)
  })

  it('writes the summary alone where the token may only read, says so, and fails where head is worse', async () => {
    github.rights.value = 'read'
    const fine = await report(poor, good)
    expect([fine.code, fine.stdout]).toEqual([
      0,
      expect.stringMatching(
        /comment: not written, because the token may not[\s\S]*check: not written/,
      ),
    ])
    expect(readFileSync(summary, 'utf8')).toContain('## Proofboard: better')
    expect((await report(good, poor)).code).toBe(1)
    expect((await report(good, poor, '--on-worse', 'neutral')).code).toBe(0)
    expect([github.comments, github.checks]).toEqual([[], []])
  })

  it('says that the base has no results, neutrally, and fails where the head has none', async () => {
    const missing = join(folder, 'nowhere')
    const noBase = await report(missing, good)
    expect([noBase.code, noBase.stdout]).toEqual([0, expect.stringContaining('check: neutral')])
    expect(github.comments[0]?.body).toContain('The base commit has no results to compare with')
    expect((await report(good, missing)).code).toBe(1)
    expect(github.comments).toHaveLength(1)
  })

  it('gives up on a server that stays broken, in one sentence', async () => {
    const path = /./
    github.faults.push(
      ...Array.from({ length: 40 }, () => ({
        method: 'GET',
        path,
        status: 503,
        headers: { 'retry-after': '300' },
      })),
    )
    const { code, stderr } = await report(good, poor)
    expect([code, stderr]).toEqual([1, expect.stringContaining('failed: the server answered 503')])
  })

  it('refuses an address that would show the token', async () => {
    const { code, stderr } = await proofboardHere(
      join(folder, 'data'),
      ['github', 'report', '--baseline', good, '--candidate', poor],
      { ...github.env, GITHUB_API_URL: 'http://192.0.2.1', GITHUB_EVENT_PATH: event },
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be https')])
  })
})
