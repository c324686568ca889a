import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file of a task's pristine folder, read once and copied out for every attempt. */
export type TemplateFile = { path: string; bytes: Buffer }

const MOST_BYTES = 32 << 20
// What a subject must not see: references, wrong solutions, expected names, history, somebody's installed packages.
const HIDDEN = new Set(['.meta', '.git', 'node_modules', '.yarn', '.pnp.cjs', '.pnp.loader.mjs'])

/** A task folder as the subject gets it. Links and special files are left out: a template is plain files only. */
export function readTemplate(folder: string): TemplateFile[] {
  const files: TemplateFile[] = []
  let total = 0
  const visit = (below: string) => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below ? `${below}/${entry.name}` : entry.name
      if (HIDDEN.has(path)) continue
      if (entry.isDirectory()) visit(path)
      else if (entry.isFile()) {
        const bytes = readFileSync(join(folder, path))
        total += bytes.length
        if (total > MOST_BYTES) throw new Error(`${folder}: more than ${MOST_BYTES >> 20} MiB of task files`)
        files.push({ path, bytes })
      }
    }
  }
  visit('')
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}
