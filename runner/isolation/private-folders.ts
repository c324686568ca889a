import { homedir } from 'node:os'
import { OWN_ENV } from '../process/own-env.ts'
import { dataFolder, PROJECT_ROOT } from '../suites/project-paths.ts'
import type { ProgramFolder } from './isolation.ts'

/** Folders of which no sandbox may see anything but what is mounted on purpose. */
export function privateFolders(): string[] {
  return [PROJECT_ROOT, dataFolder(OWN_ENV), homedir()]
}

/** Whether a folder holds one of the private ones: to show it would be to show them. */
export function holdsPrivate(folder: string): boolean {
  const below = folder.endsWith('/') ? folder : `${folder}/`
  return privateFolders().some((path) => path === folder || path.startsWith(below))
}

/** A program that lies so that showing it would show the home or the solutions is our mistake: it throws. */
export function checkPrograms(programs: readonly ProgramFolder[]): void {
  const wide = programs.find(({ host }) => holdsPrivate(host))
  if (wide)
    throw new Error(`${wide.host} holds more than a program and cannot be shown to a subject`)
}
