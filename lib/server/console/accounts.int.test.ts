import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { NO_DATABASE, ownDatabase } from '#lib/testing/factories/postgres.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { writeMigrated } from '#lib/testing/factories/temporary-database.ts'

// Many processes in a row, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-accounts-command-'))
const dataDir = join(root, 'data')
const PASSWORD = 'three words and a horse'
const ADA = 'ada@example.org'

beforeAll(() => writeMigrated(join(dataDir, 'proofboard.db')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function accounts(args: string[], stdin = '') {
  return proofboardHere(dataDir, ['accounts', ...args], {}, stdin)
}

describe('proofboard server accounts', () => {
  it('gives a set-up link until there is an account', async () => {
    const { code, stdout } = await accounts(['setup-link'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http\S+\/setup\?token=\w{43}\n$/)])
    const added = await accounts(['add', 'Ada@Example.org', '--role', 'admin'], `${PASSWORD}\n`)
    expect([added.code, added.stdout]).toEqual([0, `${ADA} is admin\n`])
    const late = await accounts(['setup-link'])
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('already')])
  })

  it('invites, changes roles, disables, enables and resets', async () => {
    const { stdout } = await accounts(['add', 'bob@example.org', '--link'])
    expect(stdout).toMatch(/\/setup\?token=\w{43}\n$/)
    for (const [args, stdin] of [
      [['set-role', 'bob@example.org', 'admin'], ''],
      [['disable', 'bob@example.org'], ''],
      [['enable', 'bob@example.org'], ''],
      [['reset-password', ADA], 'four words and two horses\n'],
      [['unlock', ADA], ''],
    ] as const) {
      expect(await accounts([...args], stdin)).toMatchObject({ code: 0, stderr: '' })
    }
    const listed = lastJson((await accounts(['list', '--json'])).stdout)
    expect(listed).toMatchObject({
      accounts: [
        { email: ADA, role: 'admin', hasPassword: true },
        { email: 'bob@example.org', role: 'admin', hasPassword: false, disabledAt: null },
      ],
    })
    expect(JSON.stringify(listed)).not.toMatch(/words/)
  })

  it.each([
    [['add', ADA], PASSWORD, 1, 'has an account already'],
    [['add', 'carl'], PASSWORD, 2, 'Give an e-mail address'],
    [['add', 'carl@example.org'], '', 2, 'pass the password on stdin'],
    [['add', 'carl@example.org'], 'short', 2, 'at least 12 characters'],
    [['add', 'carl@example.org', '--role', 'king'], PASSWORD, 2, 'Allowed choices are'],
    [['disable', ADA], '', 1, 'the last administrator'],
    [['set-role', ADA, 'viewer'], '', 1, 'the last administrator'],
    [['disable', 'nobody@example.org'], '', 1, 'no account for nobody@example.org'],
    [[], '', 2, 'missing command'],
  ] as const)('%j is refused in one line', async (args, stdin, code, words) => {
    const ended = await accounts([...args], stdin)
    expect(ended.stderr).toContain(words)
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
  })

  it('needs a data folder, and makes none', async () => {
    const empty = join(root, 'empty')
    const own = await ownDatabase({ isEmpty: true })
    const { code, stderr } = await proofboardHere(empty, ['accounts', 'list'], own)
    expect([code, stderr]).toEqual([1, expect.stringContaining(NO_DATABASE)])
    expect(existsSync(empty)).toBe(false)
  })
})
