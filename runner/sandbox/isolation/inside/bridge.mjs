// @ts-check
// Runs inside a sandbox: bridge.mjs PORT SOCKET. Everything that connects to PORT on the sandbox's own loopback talks
// to the gateway's unix socket, which is the only thing out there. A subject that kills it cuts only itself off.
import { closeSync, writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'

const [port = '', socketPath = ''] = process.argv.slice(2)

const server = createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ path: socketPath, allowHalfOpen: true })
  near.pipe(far)
  far.pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
})
server.listen(Number(port), '127.0.0.1', () => {
  writeSync(3, 'listening\n')
  closeSync(3)
})
