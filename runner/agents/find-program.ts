import { realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Isolation, ProgramFolder } from '../isolation/isolation.ts'

/** An installed agent as a subject starts it: its path inside, and the folder that has to be shown for it. */
export type Program = { path: string; folders: ProgramFolder[] }

const PACKAGES = `${sep}node_modules${sep}`

/**
 * Where an agent's program lies for a subject. Its folder is the outermost node_modules around it, because a package
 * needs its neighbours, else the folder of the program itself; links are followed, since only what they lead to is shown.
 */
export function findProgram(name: string, binary: string, isolation: Isolation): Program {
  if (isolation.level === 'local') return { path: binary, folders: [] }
  const real = realpathSync(binary)
  const at = real.indexOf(PACKAGES)
  const isPackage = at >= 0
  const host = isPackage ? real.slice(0, at + PACKAGES.length - 1) : dirname(real)
  // Packages find each other by that very folder name.
  const folder = { host, name: isPackage ? `${name}/node_modules` : name }
  return { path: join(isolation.programPath(folder), relative(host, real)), folders: [folder] }
}
