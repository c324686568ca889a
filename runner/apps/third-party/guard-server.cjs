// @ts-check
// Loaded into a third-party app's server before the app: --require guard-server.cjs. The first line of stdin is a
// secret; requests without it are closed before the app sees them, because every local program can find the app's port.
const { readSync } = require('node:fs')
const { createHash, timingSafeEqual } = require('node:crypto')
const { Server } = require('node:http')

const HEADER = 'x-proofboard-front'
/** @param {unknown} text */
const digest = (text) => createHash('sha256').update(String(text)).digest()
const wanted = digest(readLine())

function readLine() {
  const byte = Buffer.alloc(1)
  let line = ''
  while (readSync(0, byte, 0, 1, null) === 1) {
    if (byte[0] === 10) break
    line += byte.toString('latin1')
  }
  return line
}

const { emit } = Server.prototype
/** @type {any} */ const prototype = Server.prototype
/** @param {string} name @param {any[]} args */
prototype.emit = function (name, ...args) {
  if (name === 'request' || name === 'upgrade' || name === 'connect' || name.startsWith('check')) {
    const [incoming] = args
    const given = digest(incoming.headers[HEADER] ?? '')
    delete incoming.headers[HEADER]
    if (!timingSafeEqual(given, wanted)) {
      incoming.socket.destroy()
      return true
    }
  }
  return Reflect.apply(emit, this, [name, ...args])
}
