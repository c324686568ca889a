import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The program's absolute path, looked up as a shell would; null when it is not installed. */
export function findBinary(binary: string, searchPath: string): string | null {
  if (isAbsolute(binary)) return isExecutable(binary) ? binary : null
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.map((folder) => join(folder, binary)).find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
