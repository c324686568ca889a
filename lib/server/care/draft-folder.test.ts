import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { hostId } from '#lib/setup/host.mjs'
import { backupDraft, removeOldBackups } from './backup-folders.ts'
import { draftOf, temporaryFolder } from './draft-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-draft-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let killed = 0
beforeAll(() => {
  killed = spawnSync(process.execPath, ['--version']).pid
})

function fill(place: string, names: readonly string[]): string {
  const folder = join(root, place)
  for (const name of names) mkdirSync(join(folder, name, 'half'), { recursive: true })
  return folder
}

it('removes what a killed command of the same target left, and nothing else', () => {
  const others = [
    `site.${process.ppid}@${hostId()}.tmp`,
    `site.${killed}@another.tmp`,
    `site.${killed}.tmp`,
    `other.${killed}@${hostId()}.tmp`,
  ]
  const left = [`site.${killed}@${hostId()}.tmp`, `site.${process.pid}@${hostId()}.tmp`]
  const folder = fill('drafts', [...others, ...left])
  const draft = draftOf(join(folder, 'site'))
  expect(readdirSync(folder).sort()).toEqual(others.sort())
  expect(basename(draft)).toBe(left[1])
  expect(draftOf(join(root, 'not', 'there', 'yet'))).toContain('yet.')
})

it('removes backups that were killed, whether or not earlier ones are kept', () => {
  const name = basename(backupDraft(root, 'proofboard-2026-11-27T10-00-00-000Z'))
  const left = name.replace(`.${process.pid}@`, `.${killed}@`)
  const earlier = `.proofboard-2026-11-27T09-00-00-000Z.${killed}.tmp`
  const folder = fill('backups', [name, left, earlier, `other.${killed}.tmp`])
  backupDraft(folder, 'proofboard-2026-11-27T10-00-00-000Z')
  mkdirSync(join(folder, name, 'half'), { recursive: true })
  expect(removeOldBackups(folder, null)).toEqual([])
  expect(readdirSync(folder).sort()).toEqual([name, `other.${killed}.tmp`].sort())
})

it('one rule for all: what another machine began is left once nothing was written for a week', () => {
  const names = [`site.${killed}@another.tmp`, `.proofboard-x.${killed}@another.tmp`]
  const folder = fill('elsewhere', names)
  const clean = () => {
    draftOf(join(folder, 'site'))
    removeOldBackups(folder, null)
    return readdirSync(folder).length
  }
  expect(clean()).toBe(2)
  const old = new Date(Date.now() - 8 * 86_400_000)
  for (const name of names) utimesSync(join(folder, name), old, old)
  expect(clean()).toBe(0)
})

it('removes temporary folders of one kind whose process was killed, none that is in use', () => {
  vi.stubEnv('TMPDIR', join(root, 'temporary'))
  mkdirSync(join(root, 'temporary'))
  const first = temporaryFolder('backup')
  const left = basename(first).replace(`.${process.pid}@`, `.${killed}@`)
  const others = [
    left.replace('-backup-', '-copy-'),
    `proofboard-backup-x.${process.ppid}@${hostId()}.tmp`,
  ]
  fill('temporary', [left, ...others])
  const second = temporaryFolder('backup')
  vi.unstubAllEnvs()
  const found = readdirSync(join(root, 'temporary')).sort()
  expect(found).toEqual([...others, basename(first), basename(second)].sort())
})
