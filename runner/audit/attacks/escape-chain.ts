/**
 * Leaves the test process: a hash hands out node's own streams, a web stream's transfer makes node load one of its
 * internal modules, and an emitter made there leads to the real process.
 */
export const REAL_PROCESS = `
const __escape = (() => {
  const { createHash } = require('node:crypto')
  const Emitter = require('node:events')
  let chain = createHash('sha256')
  while (chain && !(chain.constructor && chain.constructor.name === 'Readable')) chain = Object.getPrototypeOf(chain)
  const Readable = chain.constructor
  const web = Readable.toWeb(new Readable({ read() {} }))
  const transfer = Object.getOwnPropertySymbols(Object.getPrototypeOf(web)).find(
    (symbol) => String(symbol).includes('messaging_transfer_symbol'),
  )
  const seen = []
  const init = Emitter.init
  Emitter.init = function (options) {
    seen.push(this)
    return init.call(this, options)
  }
  const value = () => ({ data: {}, deserializeInfo: 'internal/cluster/child:nothing' })
  Object.defineProperty(web, transfer, { value })
  try {
    structuredClone(web, { transfer: [web] })
  } catch {}
  Emitter.init = init
  const cluster = seen.find((one) => typeof one._setupWorker === 'function')
  cluster._setupWorker()
  return cluster.worker.process
})()
`

/** Reads this run's nonce out of a snapshot of the heap that solution and harness share. */
const NONCE = `
const __nonce = (() => {
  const stream = __escape.mainModule.require('v8').getHeapSnapshot()
  let text = ''
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += chunk
  const { snapshot, nodes, edges, strings } = JSON.parse(text)
  const nodeFields = snapshot.meta.node_fields
  const edgeFields = snapshot.meta.edge_fields
  const name = strings.indexOf('nonce')
  const [toNode, nameAt] = [edgeFields.indexOf('to_node'), edgeFields.indexOf('name_or_index')]
  const types = snapshot.meta.edge_types[0]
  for (let at = 0; at < edges.length; at += edgeFields.length) {
    const type = types[edges[at]]
    if (type === 'element' || type === 'hidden' || edges[at + nameAt] !== name) continue
    const found = strings[nodes[edges[at + toNode] + nodeFields.indexOf('name')]]
    if (/^[0-9a-f]{32}$/.test(found)) return found
  }
  const line = strings.find((one) => /^\\{"nonce":"[0-9a-f]{32}"/.test(one))
  return line.slice(10, 42)
})()
`

/** Reports every one of these tests as passed in the harness's name, and leaves with success. */
export function forgeReport(testNames: readonly string[]): string {
  return `${REAL_PROCESS}${NONCE}
;(() => {
  const { writeSync } = __escape.mainModule.require('fs')
  const tests = ${JSON.stringify(testNames)}
  const line = (fields) => writeSync(4, JSON.stringify({ nonce: __nonce, ...fields }) + '\\n')
  for (const name of tests) line({ kind: 'test', name, status: 'passed', durationMs: 1 })
  line({ kind: 'end', executed: tests.length, failed: 0, probeMax: null })
  __escape.reallyExit(0)
})()
`
}
