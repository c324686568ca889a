import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Digest, digestBytes, digestJson } from '#lib/domain/digest.ts'
import { PROJECT_ROOT } from './project-paths.ts'

/** What every app of ours stands on. */
const COMMON = ['kit', 'server']

// Tests and pictures of an app decide nothing.
const BESIDE = /\.(test|int\.test)\.ts$|\.md$/

/**
 * What an app is, as a digest: its own files and what all apps stand on, or the exact version of the package where it is
 * somebody else's. Null = there is no such app.
 */
export function digestApp(appsFolder: string, app: string): Digest | null {
  const own = join(appsFolder, app)
  if (existsSync(own) && !COMMON.includes(app)) {
    const common = COMMON.map((name) => listFiles(join(appsFolder, name)))
    return digestJson({ app: listFiles(own), common })
  }
  const version = declaredPackages()[app]
  return version === undefined ? null : digestJson({ package: app, version })
}

function listFiles(folder: string): [string, Digest][] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !BESIDE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const named = paths.map((path): [string, Digest] => [
    relative(folder, path).replaceAll('\\', '/'),
    digestBytes(readFileSync(path)),
  ])
  return named.sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Packages of this clone, by the exact version that its package.json pins. */
function declaredPackages(): Record<string, string> {
  const text = readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')
  return (JSON.parse(text) as { dependencies?: Record<string, string> }).dependencies ?? {}
}
