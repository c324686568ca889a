import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plan } from '#lib/domain/record/index.ts'
import { placeError } from '../runner-error.ts'
import { runMark } from '../sandbox/process/start-guard.ts'
import { noteOutside } from './close-interrupted.ts'
import type { RunFolder } from './run-folder.ts'

type TemporaryRun = { runId: string; plan: Plan; folder: RunFolder; fixedFolders?: boolean }

/** Creates and records a folder for this run alone; under a fixed name only one run of the plan can be active. */
export async function makeTemporary(run: TemporaryRun): Promise<string> {
  const note = (temporary: string) =>
    noteOutside(run.folder, { mark: runMark(run.runId), temporary })
  if (run.fixedFolders) {
    const fixed = await makeFixed(run)
    await note(fixed)
    return fixed
  }
  // The path of a user's folder on macOS is too long for the sockets of libraries.
  const root = process.platform === 'darwin' ? '/tmp' : tmpdir()
  const temporary = join(root, `proofboard-${randomBytes(6).toString('hex')}`)
  await note(temporary)
  await mkdir(temporary, { mode: 0o700 })
  return temporary
}

async function makeFixed({ plan }: TemporaryRun): Promise<string> {
  const folder = join('/tmp', `proofboard-${plan.planDigest.slice('sha256:'.length).slice(0, 16)}`)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw placeError(
      `another recorded or replayed run of this plan works in ${folder}: wait for it, and if there is none, remove that folder`,
    )
  })
  return folder
}
