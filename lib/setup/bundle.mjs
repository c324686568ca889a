// Turns a TypeScript entry of this repository into one ESM file that plain node runs, and keeps it until an input
// changes. Plain JavaScript: it runs before anything is built. Packages stay outside the bundle.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** This file may itself be part of a bundle, which lies deeper. */
const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)))
const CACHE = join(ROOT, 'node_modules', '.cache', 'proofboard')

/** @param {string} folder @returns {string} */
function findRoot(folder) {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}

/**
 * Bundles `entryPath` when needed and answers the path of a file that can be imported.
 * Each state of the sources has a file of its own, so a process that runs an older one is never disturbed.
 * @param {string} entryPath absolute, or relative to the repository
 * @param {{ external?: string[] }} [options] module names that stay imports, beside all packages
 * @returns {Promise<string>}
 */
export async function bundleEntry(entryPath, { external = [] } = {}) {
  const entry = resolve(ROOT, entryPath)
  const key = createHash('sha256')
    .update(JSON.stringify([entry, external]))
    .digest('hex')
    .slice(0, 10)
  const metaPath = join(CACHE, `${basename(entry, '.ts')}-${key}.json`)
  const known = await readMeta(metaPath)
  if (known && (await isFresh(known))) return join(CACHE, known.output)
  return build(entry, external, metaPath)
}

async function build(entry, external, metaPath) {
  const { build: esbuild } = await import('esbuild')
  const startedAt = Date.now()
  const result = await esbuild({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    outdir: CACHE,
    plugins: [packagesStayOutside(external)],
  })
  const text = result.outputFiles[0].text
  const output = `${basename(entry, '.ts')}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`
  const inputs = await Promise.all(sourcesOf(result.metafile).map(stamp))
  const made = await mkdir(CACHE, { recursive: true })
  if (made) await openFolders(made)
  await writeWhole(join(CACHE, output), text)
  // An input that changed while esbuild was reading must count as stale next time.
  const steady = inputs.every((input) => input && input.mtimeMs < startedAt)
  if (steady) await writeWhole(metaPath, JSON.stringify({ output, inputs }))
  return join(CACHE, output)
}

function sourcesOf({ inputs }) {
  return Object.keys(inputs).map((path) => resolve(ROOT, path))
}

/** Bare names are packages, except `#…`, which package.json's `imports` maps to our files. */
function packagesStayOutside(external) {
  return {
    name: 'packages-stay-outside',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
        kind === 'entry-point' ? undefined : { path, external: true },
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

/** Folders from the first missing one down to the cache: every user of this clone reads them. */
async function openFolders(first) {
  for (let path = CACHE; path.length >= first.length; path = dirname(path)) await chmod(path, 0o755)
}

async function writeWhole(path, text) {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text)
    // A process that keeps its data to itself shares the cache all the same: it has no data in it.
    await chmod(draft, 0o644)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
