import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppResponse } from '../app.ts'

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}
const VENDOR: Readonly<Record<string, string>> = {
  'preact.js': 'preact/dist/preact.mjs',
  'hooks.js': 'preact/hooks/dist/hooks.mjs',
  'htm.js': 'htm/dist/htm.module.js',
  'htm-preact.js': 'htm/preact/index.module.js',
}
const NAME = /^[a-z0-9][a-z0-9-]*\.(js|css|svg)$/

/**
 * Files that pages load: `/client/<file>` from the app's `client/` folder, `/client/kit/<file>`, `/client/vendor/<file>`
 * out of node_modules. `root` is the project's folder. Null = there is none.
 */
export function createClientFiles(root: string) {
  const kept = new Map<string, AppResponse | null>()
  return (app: string, path: string): AppResponse | null => {
    const own = path.replace(/^\/kit\/client\//, '/client/kit/') // as it lies on disk, for checkers and editors
    const found = locate(root, app, own.split('/').slice(2))
    if (found === null) return null
    const known = kept.get(found)
    if (known !== undefined) return known
    const answer = readClientFile(found)
    kept.set(found, answer)
    return answer
  }
}

function locate(root: string, app: string, parts: readonly string[]): string | null {
  const [first = '', second = ''] = parts
  const apps = join(root, 'exercises', 'browser', 'apps')
  if (parts.length === 1 && NAME.test(first)) return join(apps, app, 'client', first)
  if (parts.length !== 2 || !NAME.test(second)) return null
  if (first === 'kit') return join(apps, 'kit', 'client', second)
  const vendor = first === 'vendor' ? VENDOR[second] : undefined
  return vendor === undefined ? null : join(root, 'node_modules', vendor)
}

function readClientFile(path: string): AppResponse | null {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? TYPES.js ?? ''
  const served = path.endsWith('.mjs') ? (TYPES.js ?? type) : type
  try {
    const headers = { 'cache-control': 'public, max-age=600' }
    return { status: 200, type: served, body: readFileSync(path), headers }
  } catch {
    return null
  }
}
