import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, version as esbuildVersion } from 'esbuild'
import { type Digest, digestJson } from '#lib/domain/digest/index.ts'
import { CACHE, findReady, makeCache, PACKAGE, ROOT, TYPES_FOLDER } from '#lib/setup/layout.mjs'
import { nodeProgram } from '../../../sandbox/process/node-program.ts'
import { patchedExpect } from './expect-patches.ts'

/** The verifier's programs, kept in memory from the start of a run: nothing is read from disk again. */
export type Programs = {
  /** Covers the test process, the type-check worker and the compiler; sealed into every envelope. */
  digest: Digest
  /** Initial input of a test process: header, source, V8's code cache. */
  child: Buffer
  typeWorker: string
  compiler: Compiler
  modules: string
}

/** TypeScript, as passed to every type-check worker. */
export type Compiler = {
  path: string
  source: SharedArrayBuffer
  /** Its V8 code cache; null until a worker has written one to `cachePath`. */
  cache: SharedArrayBuffer | null
  cachePath: string
}

const MANIFEST = 'manifest.json'
const CHILD = join('child', 'boot.ts')
const TYPE_WORKER = join('types', 'type-worker.ts')
const EMPTY = Buffer.alloc(0)

const COMMON: BuildOptions = {
  bundle: true,
  write: false,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'silent',
}

/** Loads the programs, and builds them first if this state of the sources has not been built on this machine. */
export async function buildPrograms(cacheDir?: string): Promise<Programs> {
  const fromTypes = createRequire(join(TYPES, 'package.json'))
  const modules = dirname(dirname(dirname(fromTypes.resolve('@jest/globals/package.json'))))
  const folder = join(cacheDir ?? CACHE, `gate-${keyOf(fromTypes)}`)
  if (!existsSync(folder)) await buildInto(folder)
  return { ...loadFrom(folder, fromTypes.resolve('typescript-gate')), modules }
}

const SOURCES = join(ROOT, 'runner', 'verify', 'exercise')
/** A package ships the types of tests in a separate folder, so that no other version is used by mistake. */
const TYPES = PACKAGE === null ? ROOT : join(ROOT, TYPES_FOLDER)
/** A package ships the two programs prebuilt, so that they are the ones of its release. */
const READY = {
  child: findReady(join(SOURCES, CHILD)),
  worker: findReady(join(SOURCES, TYPE_WORKER)),
}

/** Reads the built files and checks them against the digests written with them. */
function loadFrom(folder: string, typescript: string): Omit<Programs, 'modules'> {
  const listed = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Record<string, string>
  const read = (name: string): Buffer => {
    const bytes = readFileSync(join(folder, name))
    if (sha256(bytes) !== listed[name])
      throw new Error(`${join(folder, name)} was changed after it was built: remove the folder`)
    return bytes
  }
  const source = read('gate-child.js')
  const cache = 'gate-child.cache' in listed ? read('gate-child.cache') : EMPTY
  const typeWorker = read('type-worker.cjs')
  const compiler = readFileSync(typescript)
  const cachePath = join(folder, 'typescript.cache')
  const header = Buffer.from(`${source.length} ${cache.length}\n`)
  return {
    digest: digestJson([BOOT, ...[source, typeWorker, compiler].map(sha256)]),
    child: Buffer.concat([header, source, cache]),
    typeWorker: typeWorker.toString('utf8'),
    compiler: {
      path: typescript,
      source: share(compiler),
      cache: readCache(cachePath),
      cachePath,
    },
  }
}

/** Another user of this clone may have created it with private permissions: without it a worker only starts slower. */
function readCache(path: string): SharedArrayBuffer | null {
  try {
    return share(readFileSync(path))
  } catch {
    return null
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function share(bytes: Buffer): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  return shared
}

function keyOf(require: NodeJS.Require): string {
  const hash = createHash('sha256')
  for (const path of sourcesOfPrograms()) hash.update(basename(path)).update(readFileSync(path))
  const versions = ['expect', 'jest-mock', 'pretty-format', 'typescript-gate'].map(
    (name) => (require(`${name}/package.json`) as { version: string }).version,
  )
  // V8's caches are for one version of node; under Bun the compiler has a separate one.
  const runtimes = [nodeProgram().version, process.versions.bun ?? null]
  hash.update(JSON.stringify([versions, esbuildVersion, ...runtimes, process.arch]))
  return hash.digest('hex').slice(0, 16)
}

function sourcesOfPrograms(): string[] {
  const { child, worker } = READY
  if (child !== null && worker !== null) return [child, worker]
  return ['bundle', 'child', 'types'].flatMap((room) =>
    readdirSync(join(SOURCES, room))
      .sort()
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(SOURCES, room, name)),
  )
}

/** Bundles the program of test processes. */
export async function bundleChild(): Promise<string> {
  const child = join(SOURCES, 'child')
  return bundle({
    entryPoints: [join(SOURCES, CHILD)],
    plugins: [patchedExpect(child)],
    banner: {
      js: '(function(realProcess,realRequire){"use strict";var process=realProcess,require=realRequire;',
    },
    footer: { js: '})' },
  })
}

/** Bundles the program that checks types. */
export async function bundleTypeWorker(): Promise<string> {
  return bundle({ entryPoints: [join(SOURCES, TYPE_WORKER)] })
}

async function buildInto(folder: string): Promise<void> {
  const [childText, workerText] = await Promise.all([
    READY.child === null ? bundleChild() : readFileSync(READY.child),
    READY.worker === null ? bundleTypeWorker() : readFileSync(READY.worker),
  ])
  const temporary = `${folder}.${randomUUID()}`
  if (dirname(folder) === CACHE) makeCache()
  mkdirSync(temporary, { recursive: true })
  writeFileSync(join(temporary, 'gate-child.js'), childText)
  writeFileSync(join(temporary, 'warm.cjs'), WARM)
  writeFileSync(join(temporary, 'type-worker.cjs'), workerText)
  keepCodeCache(temporary)
  writeManifest(temporary)
  keep(temporary, folder)
}

function writeManifest(folder: string): void {
  const names = ['gate-child.js', 'gate-child.cache', 'type-worker.cjs']
  const digests = names
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => [name, sha256(readFileSync(join(folder, name)))])
  writeFileSync(join(folder, MANIFEST), JSON.stringify(Object.fromEntries(digests)))
}

/** Writes V8's code cache; ignores failures, because without it the process only starts slower. */
function keepCodeCache(folder: string): void {
  const flags = childFlags().filter((flag) => !flag.includes('permission'))
  // The program finds its input pipe at its end and exits.
  const empty = openSync('/dev/null', 'r+')
  const stdio = Array.from({ length: 5 }, () => empty)
  const environment = {} as NodeJS.ProcessEnv
  spawnSync(nodeProgram().path, [...flags, join(folder, 'warm.cjs')], {
    env: environment,
    stdio,
    timeout: 20_000,
  })
  closeSync(empty)
}

/** Another process may have built the same folder, which is used then. */
function keep(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

async function bundle(options: BuildOptions): Promise<string> {
  const result = await build({ ...COMMON, ...options, absWorkingDir: ROOT, write: false })
  const [file] = result.outputFiles
  if (!file) throw new Error('esbuild gave no output')
  // The digest must not depend on the installation: comments contain the path of each part.
  return file.text.replace(/^( *\/\/ )\S*\/(?=node_modules\/)/gm, '$1')
}

/** Flags of every test process. V8's code cache is only accepted under the flags it was made with. */
export function childFlags(): string[] {
  return [
    '--max-old-space-size=512',
    '--stack-size=984',
    '--no-warnings',
    // Zeroes new memory, so that no Buffer shows earlier contents.
    '--zero-fill-buffers',
    // In case a solution reaches node's real modules: no files, no processes, no threads.
    nodeProgram().permissionFlag,
  ]
}

/**
 * Starts the test process from the runner's memory: the program and its V8 code cache arrive on the input pipe before
 * the work does, so there is no file of the verifier that a subject could replace. Compiled this way the bundle cannot
 * `import()` either. The header is `<bytes of the source> <bytes of the cache>\n`.
 */
export const BOOT = `'use strict'
const { readSync } = require('node:fs')
const { Script } = require('node:vm')
const read = (size) => {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let at = 0; at < size; ) {
    const got = readSync(3, bytes, at, size - at, null)
    if (got === 0) process.reallyExit(0)
    at += got
  }
  return bytes
}
let header = ''
for (let one = ''; one !== '\\n'; header += one) one = read(1).toString('latin1')
const [size, cached] = header.split(' ').map(Number)
const source = read(size).toString('latin1')
const cachedData = cached > 0 ? read(cached) : undefined
new Script(source, { filename: 'gate-child.js', cachedData }).runInThisContext()(process, require)
`

/** Runs the bundle once without work and writes V8's code cache. */
const WARM = `'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const { Script } = require('node:vm')
const script = new Script(readFileSync(__dirname + '/gate-child.js', 'latin1'), { filename: 'gate-child.js' })
const leave = process.reallyExit.bind(process)
process.reallyExit = (code) => {
  writeFileSync(__dirname + '/gate-child.cache', script.createCachedData())
  leave(code)
}
script.runInThisContext()(process, require)
`
