import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Episode } from '#lib/domain/record/episode.ts'
import { parseBundle } from '#lib/domain/record/parse-bundle.ts'
import {
  type Found,
  huntCommand,
  type OwnClone,
  ownClone,
  readFound,
} from '#lib/testing/chaos/own-clone.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { bubblewrap } from './bubblewrap.ts'

const KEY = 'sk-ant-planted-0123456789abcdef'
const WORD = 'planted-secret-4711'
const isRoot = process.getuid?.() === 0
const noSandbox = await bubblewrap.available()
const NOTHING: Found = {
  ...{ key: false, environment: false, secret: false, database: false, reference: false },
  ...{ history: false, others: false, runs: false },
}

let clone: OwnClone
beforeAll(() => {
  clone = ownClone()
  mkdirSync(join(clone.data, 'runs', 'run_earlier00'), { recursive: true })
  for (const name of ['auth-secret', 'proofboard.db'])
    writeFileSync(join(clone.data, name), WORD, { mode: 0o600 })
}, 60_000)
afterAll(() => clone?.remove())

const options = (level: string, command: string, ...more: string[]) => [
  ...['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--isolation', level],
  ...['--command', command, '--json', ...more],
]

/** Two attempts at once hunt for everything, each for the other too. */
async function hunt(level: string, name: string) {
  const out = join(clone.data, 'runs', name)
  const { root, data, temporary } = clone
  const command = huntCommand({ clone: root, data, temporary, key: KEY, word: WORD })
  const twice = ['--repetitions', '2', '--concurrency', '2', '--out', out]
  const ended = await clone.run(options(level, command, ...twice), { ANTHROPIC_API_KEY: KEY })
  expect(ended.code, ended.stderr).toBe(0)
  const episodes = readEpisodes(out)
  const found = ['r1-a1', 'r2-a1'].map((attempt) =>
    readFound(readFileSync(join(out, 'episodes', 'lru-cache', attempt, 'subject.log'), 'utf8')),
  )
  return { found, episodes, out, ...ended }
}

function readEpisodes(out: string): Episode[] {
  const parsed = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems.slice(0, 3)))
  return parsed.value.episodes
}

const reasonOf = (stdout: string): string => {
  const { rows } = lastJson(stdout) as { rows: { reasons: { code: string; text: string }[] }[] }
  return rows[0]?.reasons.find(({ code }) => code === 'answers-out-of-reach')?.text ?? 'none'
}

describe.skipIf(!isRoot)(
  `as root${isRoot ? '' : ': SKIPPED, the tests do not run as root'}`,
  () => {
    it.skipIf(noSandbox !== null)(
      'bubblewrap shows an agent nothing',
      async () => {
        const { found, episodes, stdout } = await hunt('bubblewrap', 'run_rootbwrap')
        expect(found).toEqual([NOTHING, NOTHING])
        expect(episodes[0]?.environment.subjectUser).toBeUndefined()
        expect(reasonOf(stdout)).toBe('none')
      },
      120_000,
    )

    it('local gives it a user of its own, who finds nothing either, and the row is refused', async () => {
      const { found, episodes, stdout, stderr } = await hunt('local', 'run_rootlocal0')
      expect(found).toEqual([NOTHING, NOTHING])
      expect(episodes[0]?.environment).toMatchObject({ isolation: 'local', subjectUser: 'own' })
      expect(reasonOf(stdout)).toContain('as a separate user')
      expect(stderr).toContain('closed to other users of this machine')
      expect(statSync(join(clone.root, 'exercises')).mode & 0o077).toBe(0)
    }, 120_000)

    it('local refuses a program that the lent user cannot start, in one sentence', async () => {
      const program = join(clone.data, 'agent.sh')
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
      const { code, stderr } = await clone.run(options('local', program))
      expect(code).toBe(2)
      expect(stderr.trim().split('\n').at(-1)).toMatch(/agent\.sh cannot be started by the user/)
    }, 60_000)

    it('local leaves nothing behind of a daemon that cleared its environment', async () => {
      const nap = `864${Date.now() % 1e6}`
      const daemon = `(cd /; env -i setsid sleep ${nap} </dev/null >/dev/null 2>&1 &); exit 0`
      const out = join(clone.data, 'runs', 'run_daemon000')
      expect((await clone.run(options('local', daemon, '--out', out))).code).toBe(0)
      expect(listCommands().filter((line) => line.includes(nap))).toEqual([])
    }, 60_000)
  },
)

describe('as a plain user', () => {
  beforeAll(() => clone.giveAway(), 60_000)

  it('bubblewrap shows an agent nothing', async ({ skip }) => {
    const { stdout } = await clone.run(['doctor', '--json'])
    const { findings } = lastJson(stdout) as { findings: { check: string; detail: string }[] }
    const level = findings.find(({ check }) => check === '--isolation bubblewrap')
    if (!level?.detail.startsWith('ready')) return skip(`SKIPPED, ${level?.detail}`)
    const { found } = await hunt('bubblewrap', 'run_plainbwrap')
    expect(found).toEqual([NOTHING, NOTHING])
  }, 120_000)

  it('local hides the key, and the row and the envelope say what it could read', async () => {
    const { found, episodes, stdout, stderr } = await hunt('local', 'run_plainlocal')
    const all = { secret: true, database: true, reference: true, history: true, others: true }
    expect(found).toEqual([
      { ...NOTHING, ...all, runs: true },
      { ...NOTHING, ...all, runs: true },
    ])
    expect(episodes[0]?.environment).toMatchObject({ isolation: 'local', subjectUser: 'runner' })
    expect(reasonOf(stdout)).toContain('it could read reference solutions, tests, provider keys')
    expect(stderr).toContain('the agent runs as your user and can read everything this user can')
  }, 120_000)

  it('local counts an attempt against the subject that killed the runner, once', async () => {
    const out = join(clone.data, 'runs', 'run_killed0000')
    const args = options('local', 'kill -9 "$PPID"; sleep 20', '--out', out)
    expect((await clone.run(args)).code).toBe(null)
    const again = await clone.run(args)
    expect(again.code).toBe(0)
    expect(lastJson(again.stdout)).toMatchObject({ sealed: 1, solved: 0, void: 0, voidAttempts: 0 })
    const episodes = readEpisodes(out)
    expect(episodes.map(({ attempt, outcome }) => [attempt, outcome.status])).toEqual([
      [1, 'subject-crashed'],
    ])
    expect(episodes[0]?.failureCategory).toBe('crash')
  }, 120_000)

  it('keeps a run to its owner', () => {
    const out = join(clone.data, 'runs', 'run_plainlocal')
    const open = readdirSync(out, { recursive: true, encoding: 'utf8' })
      .map((name) => join(out, name))
      .concat(out)
      .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
    expect(open).toEqual([])
  })
})

function listCommands(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      } catch {
        return ''
      }
    })
}
