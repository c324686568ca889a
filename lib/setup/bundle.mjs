// Bundles a TypeScript entry of this repository into one file for plain node, cached until an input changes. Plain
// JavaScript: it runs before anything is built. Packages stay outside the bundle, except those that every command
// loads: reading them file by file takes longer than most commands.
import { createHash, randomUUID } from 'node:crypto'
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { explainUnwritable } from './folders.mjs'
import { CACHE, findReady, makeCache, ROOT } from './layout.mjs'
import { SetupFailure } from './progress.mjs'

/** Packages without files beside their code, loaded by nearly every command. */
const INSIDE_PROGRAMS = [
  ...['@noble/hashes', '@pydantic/genai-prices', 'commander', 'diff', 'eventsource-parser'],
  ...['jsonc-parser', 'modern-tar', 'smol-toml', 'yaml', 'zod'],
]
/** Variable for the file's own URL, which a script cannot get otherwise. */
const OWN_URL = '__bundleUrl'

/**
 * Bundles `entryPath` when needed and returns the path of a file that can be imported. Each state of the sources has a
 * separate file, so a process that runs an older one is not disturbed.
 * @param {string} entryPath absolute, or relative to the repository
 * @param {{ external?: string[], asScript?: boolean }} [options] `external` = module names that stay imports, beside all
 *   packages; `asScript` = a CommonJS file with the usual packages inside, which `loadProgram` starts quickest
 * @returns {Promise<string>}
 */
export async function bundleEntry(entryPath, { external = [], asScript = false } = {}) {
  const ready = findReady(entryPath)
  if (ready !== null) return ready
  const entry = resolve(ROOT, entryPath)
  const key = createHash('sha256')
    .update(JSON.stringify([entry, external, asScript]))
    .digest('hex')
    .slice(0, 10)
  const metaPath = join(CACHE, `${basename(entry, '.ts')}-${key}.json`)
  const known = await readMeta(metaPath)
  if (known && (await isFresh(known))) return join(CACHE, known.output)
  return build(entry, { external, asScript }, metaPath)
}

async function build(entry, { external, asScript }, metaPath) {
  const closed = explainUnwritable(CACHE)
  if (closed !== null)
    throw new SetupFailure(
      `no program can be bundled: ${closed}. Set XDG_CACHE_HOME to a folder that you can write to`,
    )
  const { build: esbuild } = await import('esbuild')
  const startedAt = Date.now()
  const result = await esbuild({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'silent',
    outdir: CACHE,
    ...(asScript ? SCRIPT : { format: 'esm', sourcemap: 'inline', sourcesContent: false }),
    define: {
      'process.env.PROOFBOARD_BUNDLED_IN': JSON.stringify(ROOT),
      ...(asScript && { 'import.meta.url': OWN_URL }),
    },
    plugins: [packagesStayOutside(external, asScript ? INSIDE_PROGRAMS : [])],
  })
  const text = result.outputFiles[0].text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const output = `${basename(entry, '.ts')}-${hash}.${asScript ? 'cjs' : 'mjs'}`
  const inputs = await Promise.all(sourcesOf(result.metafile).map(stamp))
  makeCache()
  await writeWhole(join(CACHE, output), text)
  // An input that changed while esbuild was reading must count as stale next time.
  const steady = inputs.every((input) => input && input.mtimeMs < startedAt)
  if (steady) await writeWhole(metaPath, JSON.stringify({ output, inputs }))
  return join(CACHE, output)
}

const SCRIPT = {
  format: 'cjs',
  mainFields: ['module', 'main'],
  // A script from V8's cache cannot import in Node 20, so it uses `require`, at the same time as before.
  supported: { 'dynamic-import': false },
  banner: { js: `const ${OWN_URL} = require('node:url').pathToFileURL(__filename).href;` },
}

/** Files and versions that a bundle depends on. Files of packages change only with the lock. */
function sourcesOf({ inputs }) {
  const paths = Object.keys(inputs)
  const own = paths.filter((path) => !path.startsWith('node_modules/'))
  const lock = own.length < paths.length ? ['package-lock.json'] : []
  return [...own, ...lock, 'lib/setup/bundle.mjs'].map((path) => resolve(ROOT, path))
}

/** Bare names are packages, except `#…`, which package.json's `imports` maps to files of the project. */
function packagesStayOutside(external, inside) {
  const isInside = (path) => inside.some((name) => path === name || path.startsWith(`${name}/`))
  return {
    name: 'packages-stay-outside',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
        kind === 'entry-point' || isInside(path) ? undefined : { path, external: true },
      )
      onResolve({ filter: /.*/ }, ({ path }) =>
        external.includes(path) ? { path, external: true } : undefined,
      )
    },
  }
}

async function readMeta(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}

async function isFresh({ output, inputs }) {
  const now = await Promise.all([
    stamp(join(CACHE, output)),
    ...inputs.map(({ path }) => stamp(path)),
  ])
  if (now.includes(null)) return false
  return inputs.every(
    (was, i) => was.mtimeMs === now[i + 1].mtimeMs && was.size === now[i + 1].size,
  )
}

async function stamp(path) {
  try {
    const { mtimeMs, size } = await stat(path)
    return { path, mtimeMs, size }
  } catch {
    return null
  }
}

/**
 * Writes a file of the cache atomically.
 * @param {string} path
 * @param {string | Uint8Array} text
 */
async function writeWhole(path, text) {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text)
    // Readable by all users even if this process has a private umask: the cache contains no data.
    await chmod(draft, 0o644)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
