import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostId } from '#lib/setup/host.mjs'
import { draftName, removeOldBackups } from './backup-folders.ts'
import { draftOf } from './draft-folder.ts'

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
  const name = draftName('proofboard-2026-11-27T10-00-00-000Z')
  const left = name.replace(`.${process.pid}@`, `.${killed}@`)
  const folder = fill('backups', [name, left])
  expect(removeOldBackups(folder, null)).toEqual([])
  expect(readdirSync(folder)).toEqual([name])
})
