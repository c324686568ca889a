// @ts-check
// Runs inside a sandbox: bridge.mjs PORT [SOCKET]. Forwards every connection to PORT on the sandbox's loopback to the
// gateway: over its unix socket, or in a container over stdin and stdout, as streams of one HTTP/2 session. Nothing else
// is reachable. A subject that kills it disconnects only itself.
import { closeSync, writeSync } from 'node:fs'
import { connect as connectSession } from 'node:http2'
import { connect, createServer } from 'node:net'
import { Duplex } from 'node:stream'

const [port = '', socketPath = ''] = process.argv.slice(2)
const open =
  socketPath === '' ? overStdio() : () => connect({ path: socketPath, allowHalfOpen: true })

const server = createServer({ allowHalfOpen: true }, (near) => {
  const far = open()
  near.pipe(far)
  far.pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
})
server.listen(Number(port), '127.0.0.1', () => {
  writeSync(3, 'listening\n')
  closeSync(3)
})

/** @returns {() => Duplex} */
function overStdio() {
  const pipes = Duplex.from({ readable: process.stdin, writable: process.stdout })
  const session = connectSession('http://gateway', {
    createConnection: () => pipes,
    settings: { initialWindowSize: 1 << 20 },
  })
  session.on('error', () => process.exit(1))
  session.on('close', () => process.exit(0))
  return () => session.request({ ':method': 'CONNECT', ':authority': 'gateway' })
}
