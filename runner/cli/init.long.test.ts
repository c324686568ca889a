import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, it } from 'vitest'
import { expectInit } from '#lib/testing/cases/init-repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-init-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it(
  'writes a task for pytest in a folder of a repository that is proven, and measures arms on it',
  { tags: 'pytest', timeout: 300_000 },
  () =>
    expectInit(folder, {
      runner: 'pytest, in a folder of a repository',
      below: 'services/a b',
      files: {
        'README.md': 'Several services.\n',
        'services/a b/pytest.ini': '[pytest]\n',
        'services/a b/tests/test_sum.py': 'def test_sum():\n    assert 1 + 1 == 2\n',
      },
      command: /^cd 'services\/a b' && \.venv\/bin\/python .* tests\/test_title_slug\.py$/,
      solution: 'services/a b/title_slug.py',
    }),
)

it(
  'writes a task for node:test that is proven, and measures arms on it',
  { timeout: 300_000 },
  () =>
    expectInit(folder, {
      runner: 'node:test',
      files: {
        'package.json': '{"scripts":{"test":"node --test"}}',
        'tests/sum.test.js': "require('node:test').test('adds', () => {})\n",
      },
      command: /^node --test .* tests\/title-slug\.test\.mjs$/,
      solution: 'title-slug.mjs',
    }),
)
