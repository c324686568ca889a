import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file of a task's pristine folder, read once and copied out for every attempt. */
export type TemplateFile = { path: string; bytes: Buffer }

const MOST_BYTES = 32 << 20
// What a subject must not see: references, wrong solutions, expected names, history, somebody's installed packages.
const HIDDEN = new Set(['.meta', '.git', 'node_modules', '.yarn', '.pnp.cjs', '.pnp.loader.mjs'])

/** A task folder as the subject gets it. Links and special files are left out: a template is plain files only. */
export function readTemplate(folder: string): TemplateFile[] {
  const files = listPlainFiles(folder, '').map((path) => ({
    path,
    bytes: readFileSync(join(folder, path)),
  }))
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > MOST_BYTES)
    throw new Error(`${folder}: more than ${MOST_BYTES >> 20} MiB of task files`)
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function listPlainFiles(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below ? `${below}/${entry.name}` : entry.name
    if (HIDDEN.has(path)) return []
    if (entry.isDirectory()) return listPlainFiles(folder, path)
    return entry.isFile() ? [path] : []
  })
}
