import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { TypeChecker } from './type-checker.ts'
import type { TypeCheckInput } from './type-messages.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const INPUT: TypeCheckInput = {
  files: [],
  compilerOptions: {},
  packageType: 'module',
  jestGlobals: false,
}

/** Replaces the compiler's thread; `modules` is a folder where it may leave a note of its first start. */
function checkerWith(program: string): TypeChecker {
  const source = new SharedArrayBuffer(0)
  const typeWorker = `
    const { parentPort, workerData: { modules: folder } } = require('node:worker_threads')
    const { existsSync, writeFileSync } = require('node:fs')
    const isFirst = () => {
      const note = folder + '/lived'
      return existsSync(note) ? false : (writeFileSync(note, ''), true)
    }
    const ready = () => parentPort.postMessage({ kind: 'ready' })
    const checked = ({ id }) =>
      parentPort.postMessage({ kind: 'checked', id, diagnostics: [], heapBytes: 0 })
    ${program}`
  return new TypeChecker(
    Promise.resolve({
      digest: digestBytes('none'),
      child: Buffer.alloc(0),
      compiler: { path: '', source, cache: null, cachePath: '' },
      modules: folder,
      typeWorker,
    }),
  )
}

describe('a type-check worker', () => {
  it('that dies once is replaced, and its check is made again', async () => {
    const checker = checkerWith(`ready()
      parentPort.on('message', (ask) => (isFirst() ? process.exit(1) : checked(ask)))`)
    expect(await checker.check(INPUT, 60_000)).toMatchObject({ ok: true })
    expect(existsSync(join(folder, 'lived'))).toBe(true)
    expect(await checker.check(INPUT, 60_000)).toMatchObject({ ok: true })
    await checker.close()
  })

  it('that dies before it is ready breaks no later check', async () => {
    const checker = checkerWith(`if (isFirst()) process.exit(1)
      ready()
      parentPort.on('message', checked)`)
    expect(await checker.check(INPUT, 60_000)).toMatchObject({ ok: true })
    await checker.close()
  })

  it('that dies again and again on one check is no verdict, and the next check is made', async () => {
    const checker = checkerWith(`ready()
      parentPort.on('message', (ask) => (ask.input.jestGlobals ? process.exit(1) : checked(ask)))`)
    const deadly = checker.check({ ...INPUT, jestGlobals: true }, 60_000)
    await expect(deadly).rejects.toThrow('The type check ended early')
    expect(await checker.check(INPUT, 60_000)).toMatchObject({ ok: true })
    await checker.close()
  })

  it('that runs out of memory twice on one check is the doing of the solution', async () => {
    const checker = checkerWith(`ready()
      parentPort.on('message', () => { throw Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }) })`)
    expect(await checker.check(INPUT, 60_000)).toMatchObject({
      ok: false,
      diagnostics: [{ message: 'The type check ended early: heap' }],
    })
    await checker.close()
  })
})
