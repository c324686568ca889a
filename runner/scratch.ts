import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAbandoned } from './engine/files.ts'

/** What commands make in the temporary folder, besides that of a run, which a guard removes. Short where a socket lies below. */
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
 * A new folder in the temporary folder, which its maker removes. What a command that was killed left of any kind is
 * removed once it is a day old.
 */
export async function makeScratch(kind: Kind): Promise<string> {
  const root = tmpdir()
  await removeAbandoned(root, await listOwn(root))
  return mkdtemp(join(root, `${kind}-`))
}

/** The temporary folder is everybody's. */
async function listOwn(root: string): Promise<string[]> {
  const names = (await readdir(root)).filter((name) => OURS.test(name))
  const found = await Promise.all(names.map((name) => stat(join(root, name)).catch(() => null)))
  return names.filter((_, at) => found[at]?.uid === process.getuid?.())
}

/** As `mkdtemp` names a folder. */
const OURS = new RegExp(`^(${KINDS.join('|')})-[0-9A-Za-z]{6}$`)
