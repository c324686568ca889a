import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { dataFolder, PROJECT_ROOT } from '../../suites/project-paths.ts'
import { RUNNER_ENV } from '../process/own-env.ts'
import type { ProgramFolder } from './isolation.ts'

const TOP_FOLDERS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** Where NixOS and Guix keep every program and library; readable by all. */
const STORES = ['/nix/store', '/gnu/store']

const OF_SYSTEM = ['/usr', ...TOP_FOLDERS.map((name) => `/${name}`), ...STORES]

/** Whether every sandbox shows this file at its own path. */
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

/**
 * What languages read of `/etc` and `/var/lib` on Debian, Fedora and their relatives. Folders that may contain a
 * password are left out, as those of web servers beside `/etc/php/8.2/cli`.
 */
const OF_LANGUAGES = [
  ...['/etc/java', '/etc/jvm', /^\/etc\/java-[^/]+$/, /^\/etc\/php\/[^/]+\/(cli|mods-available)$/],
  ...[
    '/etc/php.ini',
    '/etc/php.d',
    '/etc/perl',
    /^\/etc\/python[\d.]*$/,
    '/etc/R',
    '/etc/dotnet',
    '/etc/mono',
  ],
  ...[
    '/etc/groovy',
    '/etc/maven/m2.conf',
    '/etc/maven/logging',
    '/etc/fonts',
    '/etc/xml',
    '/etc/sgml',
  ],
  ...[
    '/etc/protocols',
    '/etc/services',
    '/etc/rpc',
    '/etc/mime.types',
    '/etc/magic',
    '/etc/terminfo',
  ],
  ...[
    '/etc/os-release',
    '/etc/debian_version',
    '/etc/lsb-release',
    '/etc/timezone',
    '/etc/inputrc',
  ],
  ...['/var/lib/gems', '/var/lib/ghc'],
]

/** Arguments that expose the configuration of languages, for those who build and test programs. */
export function languageMounts(): string[] {
  return OF_LANGUAGES.flatMap(listMatching).flatMap((path) => ['--ro-bind-try', path, path])
}

function listMatching(pattern: string | RegExp): string[] {
  if (typeof pattern === 'string') return [pattern]
  return ['/etc', ...filesIn('/etc/php').map((name) => `/etc/php/${name}`)]
    .flatMap((folder) => filesIn(folder).map((name) => `${folder}/${name}`))
    .filter((path) => pattern.test(path))
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
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
