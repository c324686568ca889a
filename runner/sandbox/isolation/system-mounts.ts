import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
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

/** A program whose folder would expose the home or the solutions is our mistake: it throws. */
export function checkPrograms(programs: readonly ProgramFolder[]): void {
  const wide = programs.find(({ host }) => holdsPrivate(host))
  if (wide)
    throw new Error(`${wide.host} contains more than a program and cannot be shown to a subject`)
}
