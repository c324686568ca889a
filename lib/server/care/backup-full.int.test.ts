import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { plantDemo } from '#lib/testing/factories/demo/plant-demo.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const root = mkdtempSync(join(tmpdir(), 'proofboard-backup-full-'))
const dataDir = join(root, 'data')
const databaseKilobytes = () => Math.ceil(statSync(join(dataDir, 'proofboard.db')).size / 1024)

beforeAll(async () => {
  await plantDemo(dataDir)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a place that takes no more', () => {
  // Space is measured by the size of SQLite's file.
  it.each([
    ['the database does not fit', () => databaseKilobytes() >> 1],
    ['a file after it does not fit', () => databaseKilobytes() + 64],
  ])(
    '%s: one sentence, and nothing half-written is left',
    { tags: 'on-sqlite' },
    async (name, kilobytes) => {
      const target = join(root, name.replaceAll(' ', '-'))
      const limit = kilobytes()
      mkdirSync(join(dataDir, 'suites', 'big'), { recursive: true })
      writeFileSync(join(dataDir, 'suites/big/data.bin'), Buffer.alloc((limit + 500) * 1024))
      const command = [process.execPath, 'runner/cli/proofboard.mjs', 'backup', 'create', '--to']
      const shell = ['-c', `ulimit -f ${limit}; exec "$@"`, 'bash']
      const child = spawn('bash', [...shell, ...command, target], {
        env: { ...process.env, PROOFBOARD_DATA_DIR: dataDir },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let message = ''
      child.stderr.on('data', (text) => {
        message += String(text)
      })
      const [code] = await once(child, 'close')
      expect([code, message.trim().split('\n')]).toEqual([
        1,
        [expect.stringContaining('nothing half-written is left')],
      ])
      expect(readdirSync(target)).toEqual([])
    },
  )

  it('one sentence for a folder that cannot be written, and for one of its own data', async () => {
    const file = join(root, 'a-file')
    writeFileSync(file, '')
    chmodSync(file, 0o400)
    for (const [to, words] of [
      [join(file, 'x'), 'choose another --to'],
      [join(dataDir, 'runs'), "contains this server's own data"],
    ] as const) {
      const { code, stderr } = await startProofboard(dataDir, [...['backup', 'create', '--to', to]])
        .ended
      expect(code).toBeGreaterThan(0)
      expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(words)])
    }
  })
})
