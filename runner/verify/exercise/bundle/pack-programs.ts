import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MODULES, TYPES_FOLDER } from '#lib/setup/layout.mjs'
import { VISIBLE } from '../types/task-host.ts'
import { bundleChild, bundleTypeWorker } from './build-programs.ts'

const SOURCES = join('dist', 'runner', 'verify', 'exercise')
const DECLARATION = /\.d\.[cm]?ts$|(^|\/)package\.json$|(^|\/)licen[cs]e[^/]*$/i

/**
 * Writes the verifier of a package into the package's folder: its two programs as this clone builds them, so that both
 * have one digest, and the type declarations that tests are compiled with.
 */
export async function packPrograms(folder: string): Promise<void> {
  const programs = [
    ['child/boot.mjs', await bundleChild()],
    ['types/type-worker.mjs', await bundleTypeWorker()],
  ] as const
  for (const [name, text] of programs) {
    const path = join(folder, SOURCES, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  await copyDeclarations(join(folder, TYPES_FOLDER, 'node_modules'))
}

async function copyDeclarations(target: string): Promise<void> {
  for (const name of await listPackages()) {
    const from = join(MODULES, name)
    const entries = await readdir(from, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !DECLARATION.test(path)) continue
      await cp(path, join(target, path.slice(MODULES.length)))
    }
  }
}

/** Lists the packages whose types the verifier exposes to a solution. */
async function listPackages(): Promise<string[]> {
  const top = await readdir(MODULES)
  const scoped = top.filter((name) => name.startsWith('@'))
  const within = await Promise.all(
    scoped.map(async (scope) =>
      (await readdir(join(MODULES, scope))).map((name) => `${scope}/${name}`),
    ),
  )
  const names = [...top.filter((name) => !name.startsWith('@')), ...within.flat()]
  return names.filter((name) => VISIBLE.test(`${name}/`))
}
