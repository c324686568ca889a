import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { releaseDate } from './fetch-track.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
const track = join(root, 'track')
afterAll(() => rmSync(root, { recursive: true, force: true }))

function git(folder: string, args: readonly string[], date = '2020-01-01'): void {
  const at = `${date}T12:00:00Z`
  const env = { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org']
  execFileSync('git', ['-C', folder, ...who, ...args], { env, stdio: 'ignore' })
}

function write(slug: string, text: string): void {
  mkdirSync(join(track, slug), { recursive: true })
  writeFileSync(join(track, slug, 'a.ts'), text)
}

it('is the day of the first commit of a folder, however often it changed', async () => {
  write('old', '1')
  git(track, ['init', '-q'])
  git(track, ['add', '-A'])
  git(track, ['commit', '-qm', 'first'], '2019-06-01')
  write('old', '2')
  write('young', '1')
  git(track, ['add', '-A'])
  git(track, ['commit', '-qm', 'second'], '2024-02-29')
  expect(await releaseDate(join(track, 'old'))).toBe('2019-06-01')
  expect(await releaseDate(join(track, 'young'))).toBe('2024-02-29')
})

it('is unknown of what no commit holds, and where the history is cut off', async () => {
  write('new', '1')
  expect(await releaseDate(join(track, 'new'))).toBeNull()
  const shallow = join(root, 'shallow')
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${track}`, shallow])
  expect(await releaseDate(join(shallow, 'old'))).toBeNull()
  const plain = join(root, 'plain')
  mkdirSync(plain)
  expect(await releaseDate(plain)).toBeNull()
})
