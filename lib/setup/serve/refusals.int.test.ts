import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '#lib/testing/e2e/start-copy.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-refusals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm start', () => {
  const start = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, ['lib/setup/start.mjs'], {
      env: { ...process.env, PROOFBOARD_DATA_DIR: folder, ...env },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    }
    const [code] = await once(child, 'close')
    return { code, said }
  }

  it('says in one line that the port is taken, and starts nothing', async () => {
    const server = createServer().listen(0)
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { code, said } = await start({ PORT: String(port) })
    server.close()
    expect(said).toMatch(new RegExp(`^port ${port} is in use: set PORT [^\\n]*\\n$`))
    expect(code).toBe(1)
  })

  it('says in one line that too few files may be open, and starts nothing', async () => {
    const command = [process.execPath, 'lib/setup/start.mjs']
    const child = spawn('sh', ['-c', 'ulimit -n 64 && exec "$@"', 'sh', ...command], {
      env: { ...process.env, PORT: '4999', PROOFBOARD_DATA_DIR: folder },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    const [code] = await once(child, 'close')
    expect(said).toMatch(/^only 64 files may be open at a time, [^\n]*ulimit -n 4096[^\n]*\n$/)
    expect(code).toBe(1)
  })

  it.each([
    ['203.0.113.1', 'EADDRNOTAVAIL'],
    ['no-such-name.invalid', 'E\\w+'],
  ])('says in one line that HOST=%s is not of this machine', async (HOST, why) => {
    const { code, said } = await start({ HOST, PORT: String(await freePort()) })
    expect(said).toMatch(
      new RegExp(`^HOST=${HOST} is not an address of this machine \\(${why}\\): use [^\\n]*\\n$`),
    )
    expect(code).toBe(1)
  })

  it('says in one line that the data folder cannot be used, or there is no temporary one', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const data = await start({ PROOFBOARD_DATA_DIR: file })
    expect(data.said).toMatch(/^the data folder \S+file cannot be used: [^\n]*\n$/)
    const none = join(folder, 'none')
    const temporary = await start({ TMPDIR: none })
    expect(temporary.said).toMatch(/^there is no usable temporary folder: [^\n]*\n$/)
    expect([data.code, temporary.code]).toEqual([1, 1])
  })

  it.each([
    ['is not a database', (file: string) => writeFileSync(file, 'x'.repeat(9000)), /damaged or no/],
    ['is a folder', (file: string) => mkdirSync(file), /cannot be|no SQLite/],
  ])('ends a worker once where its database %s', async (_, plant, why) => {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    plant(join(dataDir, 'proofboard.db'))
    await expectOneRefusal({ PROOFBOARD_DATA_DIR: dataDir }, why)
  })

  it('ends a worker once where the database server refuses its password', async () => {
    const fields = ['SFATAL', 'C28P01', 'Mpassword authentication failed', ''].join('\0')
    const refusal = Buffer.from(`E\0\0\0\0${fields}\0`)
    refusal.writeInt32BE(refusal.length - 1, 1)
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(refusal))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const DATABASE_URL = `postgresql://board:wrong@127.0.0.1:${port}/board`
    await expectOneRefusal({ DATABASE_URL }, /refuses the user or password/)
    server.close()
  })

  async function expectOneRefusal(env: Record<string, string>, why: RegExp) {
    const { code, said } = await start({ ...env, PROOFBOARD_SERVERS: 'worker' })
    const lines = said.trim().split('\n')
    expect(lines.at(-1)).toMatch(/^proofboard cannot start: the database /)
    expect(lines.filter((line) => why.test(line))).toHaveLength(1)
    expect(said).not.toMatch(/starting it again|ready in/)
    expect(code).toBe(1)
  }

  it('says in one line that PORT is none', async () => {
    const { code, said } = await start({ PORT: 'http' })
    expect(said).toBe('PORT=http is not a port: use a number from 1 to 65535\n')
    expect(code).toBe(1)
  })
})
