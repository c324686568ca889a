import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { dataFolder, PROJECT_ROOT } from '../../suites/project-paths.ts'
import { RUNNER_ENV } from '../process/own-env.ts'
import type { ProgramFolder } from './isolation.ts'

const TOP_FOLDERS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** Folders of NixOS and Guix with every program and library; all users can read them. */
const STORES = ['/nix/store', '/gnu/store']

const OF_SYSTEM = ['/usr', ...TOP_FOLDERS.map((name) => `/${name}`), ...STORES]

/** True if every sandbox shows this file at its own path. */
export function isOfSystem(path: string): boolean {
  return OF_SYSTEM.some((folder) => path.startsWith(`${folder}/`))
}

// Files of /etc that programs need and that hold no secret; missing ones are left out.
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

/** Arguments that expose the system's programs and libraries to a sandbox, read-only, and no user's files. */
export function systemMounts(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...TOP_FOLDERS.flatMap(topFolder),
    ...[...STORES, ...ETC_OF_THE_SYSTEM].flatMap((path) => ['--ro-bind-try', path, path]),
    ...privateBelow('/usr').flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
  ]
}

/** On most systems `/bin` and the like are links into `/usr`; on the others they are folders of their own. */
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

/** Folders of ours below a system folder, as when the clone is in `/usr/src`: they are covered. */
function privateBelow(folder: string): string[] {
  return privateFolders().filter((path) => path.startsWith(`${folder}/`) && existsSync(path))
}

/** Folders of which no sandbox may see anything but what is mounted on purpose. */
function privateFolders(): string[] {
  return [PROJECT_ROOT, dataFolder(RUNNER_ENV), homedir()]
}

/** Whether a folder contains a private one, which mounting it would expose. */
export function holdsPrivate(folder: string): boolean {
  const below = folder.endsWith('/') ? folder : `${folder}/`
  return privateFolders().some((path) => path === folder || path.startsWith(below))
}

/** Folders of the data folder with installed programs. */
const INSTALLED = ['libraries', 'agents']

/**
 * True for a path that no subject may see: a private folder or one above it, the exercises with their references, and the
 * data folder with the runs of others. Links are followed.
 */
export function isPrivate(path: string): boolean {
  const real = existsSync(path) ? realpathSync(path) : path
  const data = existsSync(dataFolder(RUNNER_ENV)) ? realpathSync(dataFolder(RUNNER_ENV)) : ''
  const isIn = (folder: string) => real === folder || real.startsWith(`${folder}/`)
  const isInstalled = INSTALLED.some((name) => real.startsWith(`${join(data, name)}/`))
  if (data !== '' && isIn(data) && !isInstalled) return true
  return holdsPrivate(path) || holdsPrivate(real) || isIn(join(PROJECT_ROOT, 'exercises'))
}

/** A program whose folder would expose the home or the solutions is our mistake: it throws. */
export function checkPrograms(programs: readonly ProgramFolder[]): void {
  const wide = programs.find(({ host }) => holdsPrivate(host))
  if (wide)
    throw new Error(`${wide.host} contains more than a program and cannot be shown to a subject`)
}
