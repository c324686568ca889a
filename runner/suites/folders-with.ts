import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Lists the folders of a suite that have at least one of these parts, by name. */
export function foldersWith(suiteFolder: string, parts: readonly string[]): string[] {
  return readdirSync(suiteFolder, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
    )
    .filter((entry) => parts.some((part) => existsSync(join(suiteFolder, entry.name, part))))
    .map((entry) => join(suiteFolder, entry.name))
    .sort()
}
