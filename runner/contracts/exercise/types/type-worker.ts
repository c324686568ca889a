import { parentPort, workerData } from 'node:worker_threads'
import { checkTypes } from './check-types.ts'
import { findExpectations } from './find-expectations.ts'
import { loadTypescript } from './load-typescript.ts'
import { LibraryFiles } from './task-host.ts'
import type { TypeCheckInput, WorkerData, WorkerReply, WorkerRequest } from './type-messages.ts'

/** Settings of the track: the libraries that nearly every task needs are parsed before the first one comes. */
const WARM_UP: TypeCheckInput = {
  files: [
    { path: 'a.test.ts', text: warmUpTest() },
    {
      path: 'a.ts',
      text: 'export class A extends Error { constructor(readonly n: number) { super(String(n)) } }',
    },
  ],
  compilerOptions: {
    target: 'ES2020',
    lib: ['ES2022', 'dom'],
    module: 'Node16',
    strict: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    esModuleInterop: true,
  },
  packageType: 'module',
  jestGlobals: false,
}

function warmUpTest(): string {
  return `import { describe, it, expect } from '@jest/globals'
import { A } from './a.ts'
describe('a', () => { it('b', async () => {
  const list = [1, 2].map((n) => new A(n).n).filter(Boolean)
  expect(list).toEqual([1])
  expect(() => { throw new A(1) }).toThrow(A)
  const nope: string = list[0]
}) })`
}

const { compiler, modules } = workerData as WorkerData
const { typescript, keepCache } = loadTypescript(compiler)
const libraries = new LibraryFiles(compiler.path, modules)
const reply = (message: WorkerReply): void => parentPort?.postMessage(message)

checkTypes(typescript, libraries, WARM_UP)
reply({ kind: 'ready' })
keepCache()

parentPort?.on('message', (request: WorkerRequest) => {
  const { id } = request
  try {
    if (request.ask === 'expectations') {
      reply({ kind: 'found', id, expectations: findExpectations(typescript, request.files) })
      return
    }
    const diagnostics = checkTypes(typescript, libraries, request.input)
    reply({ kind: 'checked', id, diagnostics, heapBytes: process.memoryUsage().heapUsed })
  } catch (error) {
    // A source nested deep enough overflows the compiler's stack: that is the solution's doing.
    reply({ kind: 'threw', id, message: String(error) })
  }
})
