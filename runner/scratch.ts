import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { removeAbandoned } from './engine/files.ts'

/**
 * Names of folders that commands create in the temporary folder, besides that of a run, which a guard removes. Short
 * names where a socket path is below.
 */
const KINDS = [
  'proofboard-base',
  'proofboard-image',
  'proofboard-npm',
  'proofboard-plan',
  'proofboard-probe',
  'proofboard-register',
  'proofboard-submit',
  'proofboard-track',
  'proofboard-toolchains',
  'proofboard-verify',
  'proofboard-version',
  'proofboard-work',
  'pb-check',
  'pb-cheat',
  'pb-measure',
] as const
type Kind = (typeof KINDS)[number]

/** Creates a scratch folder for `work` and removes it afterwards. */
export async function inScratch<T>(kind: Kind, work: (folder: string) => Promise<T>): Promise<T> {
  return removedAfter(await makeScratch(kind), work)
}

/** Creates a folder with a unique name for `work` and removes it afterwards. */
export async function inDraft<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  return removedAfter(await mkdtemp(prefix), work)
}

/**
 * Fills a draft next to `folder` that becomes it as a whole. Returns why `fill` could not, with nothing left; null = it is
 * there.
 */
export async function makeWhole(
  folder: string,
  fill: (draft: string) => Promise<string | null>,
): Promise<string | null> {
  const parent = dirname(folder)
  await mkdir(parent, { recursive: true })
  await removeAbandoned(parent, [DRAFT])
  return inDraft(join(parent, DRAFT), async (draft) => {
    const failure = await fill(draft)
    if (failure !== null) return failure
    // In a sandbox, and as root, programs run as another user.
    await chmod(draft, 0o755)
    await rename(draft, folder).catch((error: unknown) => {
      // Another process was faster; its copy is as good.
      if (!existsSync(folder)) throw error
    })
    return null
  })
}

const DRAFT = '.draft-'

async function removedAfter<T>(folder: string, work: (folder: string) => Promise<T>): Promise<T> {
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

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
