import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { AppError } from '../../errors.ts'

/** Lists the names in a target folder; empty when it does not exist. Throws when it is not a folder. */
export function listTarget(target: string, option: `--${string}`): string[] {
  try {
    return readdirSync(target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new AppError('invalid-request', `${target} is not a folder: choose another ${option}`)
  }
}

/** Lists the paths of all files below a folder, sorted. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
