import { randomUUID } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import type ts from 'typescript-gate'
import type { Compiler } from '../bundle/build-programs.ts'
import type { TypeDiagnostic } from '../verifier-types.ts'
import { findExpectations } from './find-expectations.ts'
import { LibraryFiles, TaskHost } from './task-host.ts'
import type { TypeCheckInput, WorkerData, WorkerReply, WorkerRequest } from './type-messages.ts'
import { watchAssignments } from './watch-assignments.ts'

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

/** Options of an exercise that affect the verdict. Paths, plugins, emit and the like are not configurable. */
const ALLOWED = new Set([
  'allowImportingTsExtensions',
  'allowJs',
  'allowSyntheticDefaultImports',
  'allowUnreachableCode',
  'allowUnusedLabels',
  'alwaysStrict',
  'checkJs',
  'downlevelIteration',
  'emitDecoratorMetadata',
  'erasableSyntaxOnly',
  'esModuleInterop',
  'exactOptionalPropertyTypes',
  'experimentalDecorators',
  'forceConsistentCasingInFileNames',
  'isolatedModules',
  'jsx',
  'lib',
  'module',
  'moduleDetection',
  'moduleResolution',
  'noFallthroughCasesInSwitch',
  'noImplicitAny',
  'noImplicitOverride',
  'noImplicitReturns',
  'noImplicitThis',
  'noPropertyAccessFromIndexSignature',
  'noUncheckedIndexedAccess',
  'noUnusedLocals',
  'noUnusedParameters',
  'resolveJsonModule',
  'strict',
  'strictBindCallApply',
  'strictBuiltinIteratorReturn',
  'strictFunctionTypes',
  'strictNullChecks',
  'strictPropertyInitialization',
  'target',
  'useDefineForClassFields',
  'useUnknownInCatchVariables',
  'verbatimModuleSyntax',
])

const MOST_DIAGNOSTICS = 100

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
    if (request.ask === 'watch') {
      const files = request.files.map((file) => watchAssignments(typescript, file))
      reply({ kind: 'watched', id, files })
      return
    }
    const diagnostics = checkTypes(typescript, libraries, request.input)
    reply({ kind: 'checked', id, diagnostics, heapBytes: process.memoryUsage().heapUsed })
  } catch (error) {
    // A deeply nested source overflows the compiler's stack: that is caused by the solution.
    reply({ kind: 'threw', id, message: String(error) })
  }
})

/** Checks all files of one task as `tsc --noEmit` would. */
export function checkTypes(
  typescript: typeof ts,
  libraries: LibraryFiles,
  input: TypeCheckInput,
): TypeDiagnostic[] {
  const options = allowOptions(typescript, input.compilerOptions)
  const host = new TaskHost(typescript, libraries, options, input)
  const program = typescript.createProgram({ rootNames: host.rootNames, options, host })
  const found: ts.Diagnostic[] = [...program.getOptionsDiagnostics()]
  const own = host.rootNames
    .map((name) => program.getSourceFile(name))
    .filter((file) => file !== undefined)
  for (const file of own) found.push(...program.getSyntacticDiagnostics(file))
  // Like tsc: files with syntax errors are not checked further.
  if (found.length === 0) {
    found.push(...program.getGlobalDiagnostics())
    for (const file of own) found.push(...program.getSemanticDiagnostics(file))
  }
  return found.slice(0, MOST_DIAGNOSTICS).map((one) => toDiagnostic(typescript, host, one))
}

function toDiagnostic(typescript: typeof ts, host: TaskHost, found: ts.Diagnostic): TypeDiagnostic {
  const message = typescript.flattenDiagnosticMessageText(found.messageText, '\n').slice(0, 4_000)
  const { line, character } = found.file?.getLineAndCharacterOfPosition(found.start ?? 0) ?? {
    line: 0,
    character: 0,
  }
  const file = found.file ? host.relative(found.file.fileName) : ''
  return {
    file,
    line: line + 1,
    column: character + 1,
    code: found.code,
    message: message.replaceAll(`${host.root}/`, ''),
  }
}

/** Converts the text form of compilerOptions into TypeScript's, with the verifier's own requirements. */
export function allowOptions(
  typescript: typeof ts,
  options: Record<string, unknown>,
): ts.CompilerOptions {
  const chosen = Object.fromEntries(Object.entries(options).filter(([name]) => ALLOWED.has(name)))
  const { options: converted } = typescript.convertCompilerOptionsFromJson(chosen, '/')
  return {
    target: typescript.ScriptTarget.ES2020,
    ...converted,
    types: ['node'],
    skipLibCheck: true,
    noEmit: true,
    composite: false,
    incremental: false,
  }
}

/** Loads TypeScript with V8's code cache; `keepCache` writes the cache after the compiler has run, if there is none. */
export function loadTypescript({ path, source, cache, cachePath }: Compiler): {
  typescript: typeof ts
  keepCache: () => void
} {
  const text = Buffer.from(source).toString('latin1')
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${text}\n})`, {
    filename: path,
    ...(cache && { cachedData: Buffer.from(cache) }),
  })
  const module = { exports: {} as typeof ts }
  const run = script.runInThisContext() as (...given: unknown[]) => void
  run(module.exports, createRequire(path), module, path, dirname(path))
  const stale = cache === null || script.cachedDataRejected === true
  return { typescript: module.exports, keepCache: () => void (stale && write(script, cachePath)) }
}

function write(script: Script, cachePath: string): void {
  const temporary = `${cachePath}.${randomUUID()}`
  try {
    writeFileSync(temporary, script.createCachedData())
    renameSync(temporary, cachePath)
  } catch {
    // A failure to write the cache only costs time.
  }
}
