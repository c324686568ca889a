import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { writeMigrated } from '#lib/testing/factories/temporary-database.ts'

// Several processes in a row, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-oidc-'))
beforeAll(() => {
  writeMigrated(join(dataDir, 'proofboard.db'))
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const oidc = (...args: string[]) =>
  proofboardHere(dataDir, ['oidc', ...args], { PROOFBOARD_URL: 'https://board.example' })

it('lets a workflow in, says so, and ends it again', async () => {
  expect((await oidc('list')).stdout).toContain('no workflows allowed')
  const numbers = ['--repository-id', '4711', '--owner-id', '42']
  const made = await oidc('allow', ...numbers, '--workflow', '.github/workflows/bench.yml')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const [id = ''] = /rule_[0-9a-f]{12}/.exec(made.stdout) ?? []
  expect(made.stdout).toContain('The audience of tokens must be https://board.example')
  expect(lastJson((await oidc('list', '--json')).stdout)).toMatchObject({
    issuers: ['https://token.actions.githubusercontent.com'],
    rules: [{ id, rule: { repositoryId: '4711', ref: 'refs/heads/main', events: null } }],
  })
  expect(await oidc('remove', id)).toMatchObject({ code: 0, stdout: `${id} removed\n` })
  expect(await oidc('remove', id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no rule'),
  })
})

it('says in one line what is wrong, and allows nothing', async () => {
  for (const [args, words] of [
    [['--repository-id', 'acme/bench', '--owner-id', '42'], 'the number that GitHub gives it'],
    [
      ['--repository-id', '1', '--owner-id', '2', '--issuer', 'https://evil.example'],
      'is not a trusted issuer',
    ],
    [['--owner-id', '2'], '--repository-id'],
  ] as const) {
    const { code, stderr } = await oidc('allow', ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
  expect((await oidc('list')).stdout).toContain('no workflows allowed')
})
