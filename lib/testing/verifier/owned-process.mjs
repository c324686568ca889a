// A test process under an attacker's control from its first instruction on: the worst result of an escape. It knows
// nonce, tests, scenario and seeds, and writes any report it likes. A solution that requests no forgery is run by the
// real program, so that references still give their true answers.
import { spawn } from 'node:child_process'
import { createReadStream, readSync, writeSync } from 'node:fs'

const [node, ...flags] = process.argv.slice(2)
writeSync(4, '{"kind":"ready"}\n')
const seen = []
const [source, cache] = readLine().split(' ').map(Number)
read(source + cache)
const [size] = readLine().split(' ').map(Number)
const work = JSON.parse(read(size).toString() || 'null')
const solution = work?.files.find(({ role }) => role === 'solution').code ?? ''
const wish = /FORGE (\{.*\})/.exec(solution)
if (wish) forge(JSON.parse(wish[1]))
else passThrough()

function read(bytes) {
  const buffer = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; ) {
    const got = readSync(3, buffer, at, bytes - at, null)
    if (got === 0) process.exit(0)
    at += got
  }
  seen.push(buffer)
  return buffer
}

function readLine() {
  let line = ''
  for (let one = ''; one !== '\n'; line += one) one = read(1).toString('latin1')
  return line
}

/** Runs the real program with all input, past and future; it reports "ready" once more. */
function passThrough() {
  const child = spawn(node, flags, { stdio: ['ignore', 1, 2, 'pipe', 'pipe'] })
  child.stdio[3].write(Buffer.concat(seen))
  createReadStream('', { fd: 3 }).pipe(child.stdio[3])
  let isFirst = true
  child.stdio[4].on('data', (chunk) => {
    writeSync(4, isFirst ? chunk.subarray(chunk.indexOf(10) + 1) : chunk)
    isFirst = false
  })
  child.on('close', (code) => process.exit(code ?? 1))
}

function forge({ names, entries = [] }) {
  const write = (fields) => writeSync(4, `${JSON.stringify({ nonce: work.nonce, ...fields })}\n`)
  const hasTests = work.files.some(({ role }) => role === 'test')
  const reported = hasTests ? names : []
  write({ kind: 'start' })
  for (const name of reported) write({ kind: 'test', name, status: 'passed', durationMs: 1 })
  write({ kind: 'end', executed: reported.length, failed: 0, probeMax: null })
  work.scenarioSeeds.forEach((_, round) => {
    for (const text of entries) write({ kind: 'entry', round, text })
  })
  write({ kind: 'close' })
}
