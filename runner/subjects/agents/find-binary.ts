import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Finds the program's absolute path as a shell would; null if it is not installed. */
export function findBinary(binary: string, searchPath: string): string | null {
  return listBinaries(binary, searchPath)[0] ?? null
}

/** Lists every program of this name in the folders of a search path, each path once, in order. */
export function listBinaries(binary: string, searchPath: string): string[] {
  if (isAbsolute(binary)) return isExecutable(binary) ? [binary] : []
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder))
  return [...new Set(folders.map((folder) => join(folder, binary)))].filter(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
