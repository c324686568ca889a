import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  attemptAt,
  hunt,
  huntingGround,
  NOTHING,
  readEpisodes,
  reasonOf,
} from '#lib/testing/cases/hunt.ts'
import { findProcesses, uniqueSleep } from '#lib/testing/chaos/sandboxed-attempt.ts'
import type { TestClone } from '#lib/testing/chaos/test-clone.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'

// The faster out-of-reach.int.test.ts searches the sandbox that ranked entries need.

let clone: TestClone
beforeAll(() => {
  clone = huntingGround()
}, 60_000)
afterAll(() => clone?.remove())

describe('as root', { tags: 'root' }, () => {
  it('local gives it a user of its own, who finds nothing either, and the row is refused', async () => {
    const { found, episodes, stdout, stderr } = await hunt(clone, 'local', 'run_rootlocal0')
    expect(found).toEqual([NOTHING, NOTHING])
    expect(episodes[0]?.environment).toMatchObject({ isolation: 'local', subjectUser: 'own' })
    expect(reasonOf(stdout)).toContain('as a separate user')
    expect(stderr).toContain('closed to other users of this machine')
    expect(statSync(join(clone.root, 'exercises')).mode & 0o077).toBe(0)
  }, 120_000)

  it('local refuses a program that the lent user cannot start, in one sentence', async () => {
    const program = join(clone.data, 'agent.sh')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    const { code, stderr } = await clone.run(attemptAt('local', program))
    expect(code).toBe(2)
    expect(stderr.trim().split('\n').at(-1)).toMatch(/agent\.sh cannot be started by the user/)
  })

  it('local leaves nothing behind of a daemon that cleared its environment', async () => {
    const nap = uniqueSleep()
    const daemon = `(cd /; env -i setsid sleep ${nap} </dev/null >/dev/null 2>&1 &); exit 0`
    const out = join(clone.data, 'runs', 'run_daemon000')
    expect((await clone.run(attemptAt('local', daemon, '--out', out))).code).toBe(0)
    expect(findProcesses(nap)).toEqual([])
  }, 60_000)
})

describe('as a plain user', () => {
  beforeAll(() => clone.giveAway(), 60_000)

  it('bubblewrap shows an agent nothing', { tags: 'bubblewrap', timeout: 120_000 }, async () => {
    const { found } = await hunt(clone, 'bubblewrap', 'run_plainbwrap')
    expect(found).toEqual([NOTHING, NOTHING])
  })

  it('local hides nothing, and the row and the envelope say what it could read', async () => {
    const { found, episodes, stdout, stderr } = await hunt(clone, 'local', 'run_plainlocal')
    // Only its own environment is without the key.
    const all = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, true]))
    const seen = { ...all, environment: false }
    expect(found).toEqual([seen, seen])
    expect(episodes[0]?.environment).toMatchObject({ isolation: 'local', subjectUser: 'runner' })
    expect(reasonOf(stdout)).toContain('it could read reference solutions, tests, provider keys')
    expect(stderr).toContain('the agent runs as your user and can read everything this user can')
  }, 120_000)

  it('local counts an attempt against the subject that killed the runner, once', async () => {
    const out = join(clone.data, 'runs', 'run_killed0000')
    const args = attemptAt('local', 'kill -9 "$PPID"; sleep 20', '--out', out)
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
