import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const NEAREST = join(import.meta.dirname, 'node_modules')
const binSchema = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })

/** The folder of an installed package, as node would find it from here; null when it is not installed. */
export function packageFolder(name: string, modules = NEAREST): string | null {
  const folder = join(modules, name)
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = join(modules, '..', '..', 'node_modules')
  return above === modules ? null : packageFolder(name, above)
}

/** The script behind a command of an installed package, to be run by plain node. Throws when there is none. */
export function packageBin(name: string, command: string): string {
  const folder = packageFolder(name)
  if (folder === null) throw new Error(`the package ${name} is not installed: run npm install`)
  const { bin } = binSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const path = typeof bin === 'string' ? bin : bin[command]
  if (path === undefined) throw new Error(`the package ${name} has no command ${command}`)
  return join(folder, path)
}
