import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../../env.ts'

/**
 * Client components that are complete as the server draws them: packages that draw, or give something to others; Next's
 * own; what is shown once a page failed; the navigation's links. Every other one needs its page's scripts.
 */
const COMPLETE =
  /^(?:node_modules\/(?:next|nuqs)\/|app\/(?:global-)?error\.tsx$|components\/ui\/(?:nav-link|providers)\.tsx$)/

const MANIFEST = /_client-reference-manifest\.js$/
/** `"[project]/components/ui/menu.tsx":{"id":42516,` */
const MODULE = /"\[project\]\/([^"]+)":\{"id":("[^"]*"|\d+),/g

let complete: Set<string> | null = null

/** Whether a client component of this build needs scripts, by the number of its module; an unknown one does. */
export function needsScripts(id: string): boolean {
  complete ??= readComplete(join(/* turbopackIgnore: true */ env().root, '.next', 'server', 'app'))
  return !complete.has(id)
}

/** The modules of a build, from what Next wrote down for its own pages, that are complete without scripts. */
export function readComplete(folder: string): Set<string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const modules = names
    .filter((name) => MANIFEST.test(name))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(MODULE)])
  return new Set(
    modules
      .filter(([, path = '']) => COMPLETE.test(path))
      .map(([, , id = '']) => id.replaceAll('"', '')),
  )
}
