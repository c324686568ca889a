import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'

/** Proofboard's files that a sandbox can read; created for each start. */
export type SandboxFiles = {
  folder: string
  /** Folder of the entrance and the bridge. */
  programs: string
  /** Proofboard's files for `/etc`, by name. */
  etc: Record<string, string>
}

/** Files of `/etc` for name resolution; with a network, the machine's own or docker's. */
export const RESOLVING = new Set(['hosts', 'resolv.conf', 'nsswitch.conf'])

/** Databases of `nsswitch.conf` that are read from files of `/etc` only. */
const NAME_FILES = ['passwd', 'group', 'hosts', 'protocols', 'services', 'rpc']

const INSIDE_PROGRAMS = ['enter.sh', 'serve.sh', 'bridge.mjs'] as const

/**
 * Writes a sandbox's own small files below `folder`: its user database and an empty name resolution. Every user can
 * read them.
 */
export async function createSandboxFiles(
  folder: string,
  { uid, gid }: { uid: number; gid: number },
): Promise<SandboxFiles> {
  const programs = join(folder, 'programs')
  const etcFolder = join(folder, 'etc')
  for (const path of [folder, programs, etcFolder]) {
    await mkdir(path, { recursive: true })
    await chmod(path, 0o755)
  }
  for (const name of INSIDE_PROGRAMS) {
    const source = join(PROJECT_ROOT, 'runner', 'sandbox', 'isolation', 'inside', name)
    await writeReadable(join(programs, name), await readFile(source, 'utf8'))
  }
  const texts = {
    passwd: `root:x:0:0:root:/nonexistent:/bin/false\nagent:x:${uid}:${gid}:agent:/home/agent:/bin/sh\n`,
    group: `root:x:0:\nagent:x:${gid}:\n`,
    hosts: '127.0.0.1 localhost\n::1 localhost\n',
    'resolv.conf': '',
    'nsswitch.conf': NAME_FILES.map((name) => `${name}: files\n`).join(''),
  }
  const etc: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts)) {
    etc[name] = join(etcFolder, name)
    await writeReadable(etc[name], text)
  }
  return { folder, programs, etc }
}

async function writeReadable(path: string, text: string): Promise<void> {
  await writeFile(path, text)
  await chmod(path, 0o644)
}

/** Writes what the entrance of a container gives the next program as its stdin; null = nothing. */
export async function writeStdin({ programs }: SandboxFiles, stdin: string | null): Promise<void> {
  const path = join(programs, 'stdin')
  await rm(path, { force: true })
  if (stdin === null) return
  await copyFile(stdin, path)
  await chmod(path, 0o644)
}
