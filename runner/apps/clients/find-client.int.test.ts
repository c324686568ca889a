import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClientFinder, type Ends } from './find-client.ts'

const CONNECT = `const s = require('node:net').connect(Number(process.argv[1]), '127.0.0.1'); s.on('error', () => {}); s`
const AS_CHILD = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(CONNECT)}, process.argv[1]])`

const server = createServer()
const children: ChildProcess[] = []
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  server.close()
})

async function connectBy(script: string) {
  const { port } = server.address() as AddressInfo
  const child = spawn(process.execPath, ['-e', script, String(port)], { stdio: 'ignore' })
  children.push(child)
  const [socket] = (await once(server, 'connection')) as [Socket]
  socket.on('error', () => {})
  const { remoteAddress: address = '', remotePort = 0 } = socket
  const ends: Ends = { address, port: remotePort, serverPort: port }
  return { pid: child.pid ?? 0, socket, ends }
}

describe('createClientFinder', { tags: 'linux' }, () => {
  const find = createClientFinder()

  it('names the process that opened a connection, also when it is a child of the one asked for', async () => {
    const [own, ofChild] = [await connectBy(CONNECT), await connectBy(AS_CHILD)]
    const both = new Set([own.pid, ofChild.pid])
    expect(await find(own.ends, both)).toBe(own.pid)
    expect(await find(ofChild.ends, both)).toBe(ofChild.pid)
    expect(await find(own.ends, new Set([own.pid]))).toBe(own.pid) // found where it was found before
  })

  it('calls everybody else other, whatever they send', async () => {
    const [browser, library] = [await connectBy(CONNECT), await connectBy(CONNECT)]
    expect(await find(library.ends, new Set([browser.pid]))).toBe('other')
    expect(await find(library.ends, new Set())).toBe('other')
  })

  it('says that a client is gone, and looks at addresses and ports together', async () => {
    const { pid, socket, ends } = await connectBy(CONNECT)
    expect(await find({ ...ends, address: '127.0.0.2' }, new Set([pid]))).toBe('gone')
    const closed = once(socket, 'close')
    process.kill(pid, 'SIGKILL')
    socket.resume()
    await closed
    expect(await find(ends, new Set([pid]))).toBe('gone')
  })

  it('calls a client that closes while its owner is looked for gone, not other', async () => {
    const { pid, ends } = await connectBy(CONNECT)
    // Nonexistent browsers: looking up their processes takes a while.
    const absent = Array.from({ length: 60 }, (_, index) => 2 ** 30 + index)
    const found = find(ends, new Set([...absent, pid]))
    await setTimeout(20) // the table was read
    process.kill(pid, 'SIGKILL')
    expect(await found).toBe('gone')
  })
})

it('tells nothing where the system does not', async () => {
  const ends = { address: '127.0.0.1', port: 1, serverPort: 2 }
  expect(await createClientFinder('darwin')(ends, new Set([1]))).toBeNull()
})
