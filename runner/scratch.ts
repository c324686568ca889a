import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAbandoned } from './engine/files.ts'

/**
 * Names of folders that commands create in the temporary folder, besides that of a run, which a guard removes. Short
 * names where a socket path is below.
 */
const KINDS = [
  ...['proofboard-base', 'proofboard-image', 'proofboard-npm', 'proofboard-plan'],
  ...['proofboard-probe', 'proofboard-register', 'proofboard-submit', 'proofboard-track'],
  ...[
    'proofboard-toolchains',
    'proofboard-verify',
    'proofboard-version',
    'proofboard-work',
    'pb-check',
    'pb-cheat',
    'pb-measure',
  ],
] as const
type Kind = (typeof KINDS)[number]

/**
 * Creates a folder in the temporary folder, which the caller removes. Also removes folders of any kind that a killed
 * command left more than a day ago.
 */
export async function makeScratch(kind: Kind): Promise<string> {
  const root = tmpdir()
  await removeAbandoned(root, await listOwn(root))
  return mkdtemp(join(root, `${kind}-`))
}

/** Other users may have entries in the temporary folder. */
async function listOwn(root: string): Promise<string[]> {
  const names = (await readdir(root)).filter((name) => OURS.test(name))
  const found = await Promise.all(names.map((name) => stat(join(root, name)).catch(() => null)))
  return names.filter((_, at) => found[at]?.uid === process.getuid?.())
}

/** Names of folders as `mkdtemp` makes them. */
const OURS = new RegExp(`^(${KINDS.join('|')})-[0-9A-Za-z]{6}$`)
