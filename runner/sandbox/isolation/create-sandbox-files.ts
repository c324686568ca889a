import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'

/** Proofboard's files that a sandbox may read, created for each start. */
export type SandboxFiles = {
  folder: string
  /** The entrance and the bridge. */
  programs: string
  /** Proofboard's files in `/etc`, by name. */
  etc: Record<string, string>
}

/** Databases that are looked up in files of `/etc`, and nowhere else. */
const NAME_FILES = ['passwd', 'group', 'hosts', 'protocols', 'services', 'rpc']

const INSIDE_PROGRAMS = ['enter.sh', 'bridge.mjs'] as const

/**
 * Writes a sandbox's own small files below `folder`: who the user is and that there are no names to look up.
 * Every one is readable by the subject, whatever its user.
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
