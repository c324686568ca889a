import { readdirSync } from 'node:fs'
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
