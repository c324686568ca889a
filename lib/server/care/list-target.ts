import { readdirSync } from 'node:fs'
import { AppError } from '../../errors.ts'

/** What is in a folder that is to be written, by name; nothing in one that is not there. Refuses what is no folder. */
export function listTarget(target: string, option: `--${string}`): string[] {
  try {
    return readdirSync(target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new AppError('invalid-request', `${target} is not a folder: choose another ${option}`)
  }
}
