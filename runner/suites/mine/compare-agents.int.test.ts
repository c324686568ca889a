import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { GitHistory } from '#lib/testing/factories/git-history.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-compare-agents-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  [['claude', '--model', 'x'], 'name at least two agents'],
  [['claude', 'codex=gpt-5.4'], 'claude needs a model: write claude=MODEL'],
  [['claude=a', 'claude=a'], 'claude-a is named twice'],
  [['claud=a', 'codex=b'], 'did you mean claude'],
  [['claude=a', 'codex=b', '--yes'], '"a" does not look like a model of Anthropic'],
  [['claude=claude-sonnet-5', 'codex=gpt-5.4', '--yes'], 'claude needs ANTHROPIC_API_KEY'],
  [['claude=a', 'codex=b'], 'there is no terminal to ask for the price: use --yes'],
])('%j is refused in one sentence, and nothing is written', async (args, sentence) => {
  const out = join(folder, 'out')
  const ended = await proofboardHere(folder, ['compare-agents', ...args, '--out', out])
  expect([ended.code, ended.stdout]).toEqual([2, ''])
  expect(ended.stderr).toContain(sentence)
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  expect(readdirSync(folder)).not.toContain('out')
})

it('names a folder that is not a repository, or not its root, and writes nothing', async () => {
  const place = mkdtempSync(join(folder, 'place-'))
  const mine = async (from: string) => {
    const out = join(place, 'out')
    const args = ['tasks', 'mine', from, '--out', out]
    const { code, stderr } = await proofboardHere(join(folder, 'data'), args)
    return [code, existsSync(out), stderr.trim()]
  }
  expect(await mine(place)).toEqual([
    2,
    false,
    expect.stringMatching(/ is not a git repository: enter the path of one$/),
  ])
  const { root } = new GitHistory(join(place, 'repository'))
  mkdirSync(join(root, 'below'))
  expect(await mine(join(root, 'below'))).toEqual([
    2,
    false,
    expect.stringMatching(/ is a folder of a git repository: enter its root$/),
  ])
})
