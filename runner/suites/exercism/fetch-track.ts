import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { lastLine } from '#lib/domain/text/index.ts'
import { suiteError } from '../../runner-error.ts'
import { git } from '../../sandbox/process/git.ts'
import { makeScratch } from '../../scratch.ts'

const PUBLIC_TRACK = 'https://github.com/exercism/typescript'

/** Returns where the track is fetched from by default: the public repository, or the mirror that is set. */
export function trackAddress({
  PROOFBOARD_TRACK: mirror,
}: Record<string, string | undefined>): string {
  return mirror || PUBLIC_TRACK
}

/** A track on disk, its commit (or a note that it is unknown), and how to release it. */
export type Track = { folder: string; url: string; ref: string; release: () => Promise<void> }

/**
 * Gets the track from a folder or a git repository at `ref`. A repository at a ref, or a URL, is checked out into a
 * temporary clone, so that the user's own files stay unchanged. A folder without history is read as it is; a ref given
 * for it is stored as an unverified note.
 */
export async function fetchTrack(from: string, ref: string | null): Promise<Track> {
  if (ref?.startsWith('-')) throw suiteError(`--ref must be a commit, tag or branch, not "${ref}"`)
  const folder = resolve(from)
  if (!existsSync(folder)) return cloneTrack(from, from, ref)
  if (await isRepository(folder)) {
    if (ref !== null) return cloneTrack(folder, from, ref)
    return asItStands(folder, from, await headOf(folder))
  }
  return asItStands(folder, from, ref === null ? 'no history' : `${ref} (not verified)`)
}

function asItStands(folder: string, url: string, ref: string): Track {
  return { folder, url, ref, release: async () => {} }
}

async function cloneTrack(source: string, url: string, ref: string | null): Promise<Track> {
  const folder = await makeScratch('proofboard-track')
  const release = () => rm(folder, { recursive: true, force: true })
  try {
    await git(['clone', '--quiet', '--no-checkout', '--filter=blob:none', '--', source, folder])
    await checkOut(folder, ref ?? 'HEAD')
    return { folder, url, ref: await git(['-C', folder, 'rev-parse', 'HEAD']), release }
  } catch (error) {
    await release()
    const reason = lastLine((error as Error).message)
    throw suiteError(`cannot get ${ref ?? 'HEAD'} of ${url}: ${reason}`)
  }
}

/** A commit outside all branches has to be fetched by its id. */
async function checkOut(folder: string, ref: string): Promise<void> {
  const checkout = ['-C', folder, '-c', 'advice.detachedHead=false', 'checkout', '--quiet']
  try {
    await git([...checkout, ref, '--'])
  } catch (error) {
    await git(['-C', folder, 'fetch', '--quiet', 'origin', ref]).catch(() => {
      throw error
    })
    await git([...checkout, 'FETCH_HEAD', '--'])
  }
}

/** Returns true for the root of a repository, bare or not; a folder inside one has no history of its own. */
function isRepository(folder: string): Promise<boolean> {
  return git(['-C', folder, 'rev-parse', '--show-prefix']).then(
    (prefix) => prefix === '',
    () => false,
  )
}

/** Returns the commit of a working tree, with a note if its files differ from it. */
async function headOf(folder: string): Promise<string> {
  const ask = (...args: string[]) => git(['-C', folder, ...args]).catch(() => '')
  const [commit, changes] = [await ask('rev-parse', 'HEAD'), await ask('status', '--porcelain')]
  if (commit === '') return 'no commit'
  return changes === '' ? commit : `${commit} (changed)`
}

/**
 * Returns the day of the first commit that touched an exercise's folder, `YYYY-MM-DD`: it has been public since. Null
 * if there is none, or the history is missing or shallow.
 */
export async function releaseDate(folder: string): Promise<string | null> {
  const ask = (...args: string[]) => git(['-C', folder, ...args]).catch(() => null)
  const isShallow = await ask('rev-parse', '--is-shallow-repository')
  if (isShallow !== 'false') return null
  const dates = await ask('log', '--format=%cs', '--', '.')
  const first = dates?.split('\n').at(-1) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(first) ? first : null
}
