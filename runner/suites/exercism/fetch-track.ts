import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { git } from '../../process/git.ts'
import { SuiteError } from '../suite-error.ts'

/** A track on disk with the commit it really is at (null = no git checkout), and how to let go of it. */
export type Track = { folder: string; url: string; ref: string; release: () => Promise<void> }

/**
 * Gets the track from a folder or a git repository at `ref`. A folder without `ref` is read as it stands; with `ref`,
 * or for a URL, the commit is checked out into a temporary clone, so that the person's own files stay untouched.
 */
export async function fetchTrack(from: string, ref: string | null): Promise<Track> {
  const local = existsSync(from)
  if (local && ref === null) {
    const commit = await git(['-C', resolve(from), 'rev-parse', 'HEAD']).catch(() => null)
    return {
      folder: resolve(from),
      url: from,
      ref: commit ?? 'working-tree',
      release: async () => {},
    }
  }
  if (local && !(await isRepository(resolve(from))))
    throw new SuiteError(`${from} is no git repository, so it has no ${ref}: leave --ref out`)
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-track-'))
  const release = () => rm(folder, { recursive: true, force: true })
  try {
    await git([
      'clone',
      '--quiet',
      '--no-checkout',
      '--filter=blob:none',
      '--',
      local ? resolve(from) : from,
      folder,
    ])
    await git([
      '-C',
      folder,
      '-c',
      'advice.detachedHead=false',
      'checkout',
      '--quiet',
      ref ?? 'HEAD',
      '--',
    ])
    return { folder, url: from, ref: await git(['-C', folder, 'rev-parse', 'HEAD']), release }
  } catch (error) {
    await release()
    throw new SuiteError(
      `cannot get ${ref ?? 'HEAD'} of ${from}: ${lastLine((error as Error).message)}`,
    )
  }
}

function isRepository(folder: string): Promise<boolean> {
  return git(['-C', folder, 'rev-parse', '--git-dir']).then(
    () => true,
    () => false,
  )
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? text
}
