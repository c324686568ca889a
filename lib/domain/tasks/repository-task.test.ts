import { expect, it } from 'vitest'
import { matchesGlob } from './path-glob.ts'
import { gitUrlSchema, repositoryFileSchema } from './repository-task.ts'

const FILE = {
  id: 'fix-it',
  title: 'Fix it',
  category: 'bug',
  difficulty: 'easy',
  source: { folder: 'repo' },
  verify: { command: 'node --test', report: { format: 'tap' } },
}

it('reads a task with defaults that allow all, and no network', () => {
  expect(repositoryFileSchema.parse(FILE)).toMatchObject({
    change: { allow: ['**'], protect: [] },
    network: 'off',
    setup: [],
    verify: { timeout: 120 },
    budgets: {},
  })
})

it.each([
  [{ source: { folder: '../other' } }, 'source.folder: expected a relative path that stays inside'],
  [{ source: { folder: '/etc' } }, 'source.folder: expected a relative path'],
  [{ source: { git: 'https://x.test/a', commit: 'main' } }, 'source.commit: must be the 40'],
  [{ source: { git: '--upload-pack=touch x', commit: 'a'.repeat(40) } }, 'source.git: must not'],
  [{ network: 'on' }, 'network: must be off, or { reason'],
  [{ network: { reason: 'x', for: ['setup'] } }, 'network.reason: say in a sentence why'],
  [{ change: { protect: ['../a'] } }, 'change.protect.0: expected a glob inside'],
  [{ surprise: 1 }, ': Unrecognized key: "surprise"'],
])('says what is wrong with %j', (wrong, message) => {
  const { error } = repositoryFileSchema.safeParse({ ...FILE, ...wrong })
  const data = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  expect(data?.[0]).toContain(message)
})

it.each([
  ['--upload-pack=sh', false],
  ['ext::sh -c id', false],
  ['ext::sh', false],
  ['http://x.test/a', false],
  ['ftp://x.test/a', false],
  ['ssh://-oProxyCommand=id/a', false],
  ['git@-oProxyCommand:a', false],
  ['https://x.test/a.git', true],
  ['git@x.test:a/b.git', true],
  ['../history', true],
  ['/srv/git/a.git', true],
])('takes %s as an address of git: %s', (url, ok) => {
  expect(gitUrlSchema.safeParse(url).success).toBe(ok)
})

it.each([
  ['src/a/b.ts', 'src/**', true],
  ['src/a/b.ts', 'src/', true],
  ['src', 'src/**', true],
  ['src/a.ts', 'src/*.ts', true],
  ['src/a/b.ts', 'src/*.ts', false],
  ['a/b/c.test.js', '**/*.test.js', true],
  ['c.test.js', '**/*.test.js', true],
  ['package.json', 'package.json', true],
  ['a/package.json', 'package.json', false],
  ['abc', 'a?c', true],
  ['a'.repeat(5000), `${'a*'.repeat(100)}b`, false],
])('matches %s by %s: %s', (path, glob, ok) => {
  expect(matchesGlob(path, glob)).toBe(ok)
})
