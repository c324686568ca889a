import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hostId } from '#lib/setup/host.mjs'
import { lockRunFolder } from './run-folder.ts'

let dir: string
let holder: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'proofboard-run-folder-'))
  holder = join(dir, 'runner.pid')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('is one runner’s until it lets go', async () => {
  const release = await lockRunFolder(holder)
  expect(readFileSync(holder, 'utf8')).toMatch(
    new RegExp(`^${process.pid} \\S+ ${hostId().replaceAll('.', '\\.')}\n$`),
  )
  await expect(lockRunFolder(holder)).rejects.toThrow(
    `runner ${process.pid} works in this folder: wait for it or choose another --out`,
  )
  await release()
  expect(existsSync(holder)).toBe(false)
})

it('of a runner on another machine is taken over once that has been silent for minutes', async () => {
  // Left by a container that was replaced while it ran: the next one has another host name.
  writeFileSync(holder, '17 4711 old-container\n')
  await expect(lockRunFolder(holder)).rejects.toThrow('runner 17 on old-container works in this')
  const before = new Date(Date.now() - 6 * 60_000)
  utimesSync(holder, before, before)
  const release = await lockRunFolder(holder)
  expect(readFileSync(holder, 'utf8')).toContain(hostId())
  await release()
})
