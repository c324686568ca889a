// A test process that belongs to an attacker from its first instruction on: the worst that an escape could come to.
// It knows nonce, tests, scenario and seeds, and it writes whatever report it likes. Whose solution does not ask for a
// forgery is run by the real program, so that references still give their true answers.
import { spawn } from 'node:child_process'
import { readFileSync, writeSync } from 'node:fs'

const [node, ...flags] = process.argv.slice(2)
writeSync(4, '{"kind":"ready"}\n')
const bytes = readFileSync(3)
const headerEnd = bytes.indexOf(10)
const [source, cache] = bytes.subarray(0, headerEnd).toString().split(' ').map(Number)
const work = JSON.parse(bytes.subarray(headerEnd + 1 + source + cache).toString())
const solution = work.files.find(({ role }) => role === 'solution').code
const wish = /FORGE (\{.*\})/.exec(solution)
if (wish) forge(JSON.parse(wish[1]))
else {
  const child = spawn(node, flags, { stdio: ['ignore', 1, 2, 'pipe', 'pipe'] })
  child.stdio[3].end(bytes)
  let seen = ''
  child.stdio[4].on('data', (chunk) => {
    seen += chunk
  })
  child.on('close', (code) => {
    // The first line says "ready" once more.
    writeSync(4, seen.slice(seen.indexOf('\n') + 1))
    process.exit(code ?? 1)
  })
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
