import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { dataFolder, PROJECT_ROOT } from '../../suites/project-paths.ts'
import { RUNNER_ENV } from '../process/own-env.ts'
import type { ProgramFolder } from './isolation.ts'

const TOP_FOLDERS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** Folders of NixOS and Guix that contain every program and library; all users can read them. */
const STORES = ['/nix/store', '/gnu/store']

const OF_SYSTEM = ['/usr', ...TOP_FOLDERS.map((name) => `/${name}`), ...STORES]

/** True if every sandbox shows this file at its own path. */
export function isOfSystem(path: string): boolean {
  return OF_SYSTEM.some((folder) => path.startsWith(`${folder}/`))
}

// Files of /etc that programs need and that contain no secrets; missing ones are left out.
const ETC_OF_THE_SYSTEM = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/crypto-policies',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
]

/** Arguments that mount the system's programs and libraries read-only, and no user's files. */
export function systemMounts(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...TOP_FOLDERS.flatMap(topFolder),
    ...[...STORES, ...ETC_OF_THE_SYSTEM].flatMap((path) => ['--ro-bind-try', path, path]),
    ...privateBelow('/usr').flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
  ]
}

/** `/bin` and similar paths are links into `/usr` on most systems, and folders on others. */
function topFolder(name: string): string[] {
  const path = `/${name}`
  try {
    return lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : ['--ro-bind', path, path]
  } catch {
    return []
  }
}

/** Private folders below a system folder, such as a clone in `/usr/src`; they are hidden. */
function privateBelow(folder: string): string[] {
  return privateFolders().filter((path) => path.startsWith(`${folder}/`) && existsSync(path))
}

/** Folders that a sandbox never sees, except for explicit mounts. */
function privateFolders(): string[] {
  return [PROJECT_ROOT, dataFolder(RUNNER_ENV), homedir()]
}

/** True if mounting a folder would expose a private one. */
export function holdsPrivate(folder: string): boolean {
  const below = folder.endsWith('/') ? folder : `${folder}/`
  return privateFolders().some((path) => path === folder || path.startsWith(below))
}

/** Folders in the data folder that contain installed programs. */
const INSTALLED = ['libraries', 'agents']

/**
 * True for paths that no subject may see: a private folder or a parent of one, the exercises with their references, and
 * the data folder with other runs. Follows links.
 */
export function isPrivate(path: string): boolean {
  const real = existsSync(path) ? realpathSync(path) : path
  const data = existsSync(dataFolder(RUNNER_ENV)) ? realpathSync(dataFolder(RUNNER_ENV)) : ''
  const isIn = (folder: string) => real === folder || real.startsWith(`${folder}/`)
  const isInstalled = INSTALLED.some((name) => real.startsWith(`${join(data, name)}/`))
  if (data !== '' && isIn(data) && !isInstalled) return true
  return holdsPrivate(path) || holdsPrivate(real) || isIn(join(PROJECT_ROOT, 'exercises'))
}

/** Throws if a program's folder would expose the home folder or solutions, which is a bug. */
export function checkPrograms(programs: readonly ProgramFolder[]): void {
  const wide = programs.find(({ host }) => holdsPrivate(host))
  if (wide)
    throw new Error(`${wide.host} contains more than a program and cannot be shown to a subject`)
}
