import { posix } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'

/** Installed and compiled packages: created by tools and not judged; a base that has them keeps its own. */
const INSTALLED = new Set(['node_modules', '.venv', '.gocache'])

/** Caches of tools, by the name of their folder or file. */
const CACHES = new Set([
  ...['__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis', '.tox', '.nox'],
  ...['.ipynb_checkpoints', '.gradle', '.turbo', '.parcel-cache', '.nyc_output', '.eslintcache'],
  ...['.pnpm-store', '.swc', '.ds_store'],
])

/**
 * Metadata of installed packages, from which pytest loads plug-ins: `pip install -e .` leaves it beside the sources.
 */
const METADATA = /\.(?:dist|egg)-info$/i

/** Returns true for paths below folders that tools create apart from the work. */
export function isByproduct(path: string): boolean {
  return path.split('/').some((part) => {
    const name = part.toLowerCase()
    return INSTALLED.has(name) || CACHES.has(name) || METADATA.test(part)
  })
}

/** Returns true for a folder of installed packages itself: tests may fail because it is not judged. */
export function isInstalled(path: string): boolean {
  return INSTALLED.has(posix.basename(path).toLowerCase())
}

/** The file by which a program marks a folder as its cache (bford.info/cachedir), such as cargo's `target`. */
export const CACHE_TAG = {
  name: 'CACHEDIR.TAG',
  start: 'Signature: 8a477f597d28d172789f06886806bc55',
}

/** Members of manifests that package managers and `init` commands write, and that do not affect how tests run. */
const MEMBERS: Record<string, { read: (text: string) => unknown; free: readonly string[] }> = {
  'package.json': {
    read: JSON.parse,
    free: [
      ...['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'],
      ...['packageManager', 'husky', 'lint-staged', 'simple-git-hooks', 'scripts.prepare'],
    ],
  },
  'pyproject.toml': {
    read: parse,
    free: [
      ...['project.dependencies', 'project.optional-dependencies', 'dependency-groups'],
      ...['tool.uv', 'tool.poetry.dependencies', 'tool.poetry.group'],
    ],
  },
  'cargo.toml': {
    read: parse,
    free: [
      ...['dependencies', 'dev-dependencies', 'build-dependencies'],
      ...['workspace.members', 'workspace.dependencies'],
    ],
  },
}

/** Returns whether a manifest was changed only by a package manager: `npm install`, `uv add`, `cargo new`, husky. */
export function isToolEdit(path: string, before: Buffer, after: Buffer): boolean {
  const known = MEMBERS[posix.basename(path).toLowerCase()]
  if (known === undefined) return false
  try {
    const [left, right] = [before, after].map((bytes) => known.read(bytes.toString('utf8')))
    return isDeepStrictEqual(without(left, known.free), without(right, known.free))
  } catch {
    return false
  }
}

/** Returns true for the manifest of a package: one in a new folder affects no test of the task. */
export function isManifest(path: string): boolean {
  return Object.hasOwn(MEMBERS, posix.basename(path).toLowerCase())
}

/** Returns a copy without these members, and without the tables that become empty. */
function without(value: unknown, paths: readonly string[], above = ''): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept = Object.entries(value).flatMap(([key, one]) => {
    const path = above + key
    if (paths.includes(path)) return []
    const rest = without(one, paths, `${path}.`)
    const isEmptied = paths.some((free) => free.startsWith(`${path}.`)) && isEmpty(rest)
    return isEmptied ? [] : [[key, rest] as const]
  })
  return Object.fromEntries(kept)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
