import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { type Digest, digestBytes, digestJson } from '#lib/domain/digest/index.ts'
import { findModule } from '#lib/setup/layout.mjs'

const binSchema = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })

/** Returns the folder of an installed package. */
export function packageFolder(name: string): string {
  return findModule(name)
}

/** Returns the script of an installed package's command, for plain node. Throws if there is none. */
export function packageBin(name: string, command: string): string {
  const manifest = readFileSync(join(packageFolder(name), 'package.json'), 'utf8')
  const { bin } = binSchema.parse(JSON.parse(manifest))
  const path = typeof bin === 'string' ? bin : bin[command]
  if (path === undefined) throw new Error(`the package ${name} has no command ${command}`)
  return join(packageFolder(name), path)
}

/** Digest of the package's own files; packages that it depends on are not covered. */
export function digestPackage(name: string): Digest {
  const folder = packageFolder(name)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => relative(folder, join(parentPath, file)))
    .filter((path) => !path.split(sep).includes('node_modules'))
    .sort()
  return digestJson(files.map((path) => [path, digestBytes(readFileSync(join(folder, path)))]))
}
