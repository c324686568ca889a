import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { env, settleEnv } from '#lib/env.ts'
import { hostId } from '#lib/setup/host.mjs'
import { findAddress, noteAddress } from './server-addresses.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-addresses-'))
beforeAll(() => {
  process.env.PROOFBOARD_DATA_DIR = dataDir
  settleEnv(process.cwd())
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Writes a note of a server that was started so many seconds ago. */
function writeNote(name: string, url: string, ageSeconds: number): string {
  const file = join(dataDir, 'addresses', name)
  writeFileSync(file, url)
  const at = new Date(Date.now() - ageSeconds * 1000)
  utimesSync(file, at, at)
  return file
}

it('names the server of this machine that was started last and still lives', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  expect(findAddress()).toBe(env().publicUrl)
  const forget = noteAddress()
  const gone = writeNote(`4194303@${hostId()}`, 'http://localhost:4151', -20)
  writeNote('1@elsewhere', 'http://localhost:4152', -20)
  expect(findAddress()).toBe(env().publicUrl)
  writeNote(`${other.pid}@${hostId()}`, 'http://localhost:4153', -10)
  expect(findAddress()).toBe('http://localhost:4153')
  const ended = new Promise((resolve) => other.once('exit', resolve))
  other.kill()
  await ended
  expect(findAddress()).toBe(env().publicUrl)
  forget()
  expect(findAddress()).toBe('http://localhost:4152')
  noteAddress()()
  expect(existsSync(gone)).toBe(false)
})
