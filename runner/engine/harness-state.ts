import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { digestFiles, FILE_LIST, PACKAGE, ROOT } from '#lib/setup/layout.mjs'
import { gitState } from '../sandbox/process/git.ts'

/** The commit of this Proofboard, and whether it differs from that commit. */
export type HarnessState = { commit: string | null; dirty: boolean | null }

const fileListSchema = z.record(z.string(), z.string())

/** Reads the state of the clone; an installed package is compared with the list of files written when it was packed. */
export async function harnessState(): Promise<HarnessState> {
  return PACKAGE === null ? gitState(ROOT) : packageState(ROOT, PACKAGE)
}

/** The state of a package in `root`: a changed, added or removed file makes it dirty, as in a clone. */
export async function packageState(
  root: string,
  { commit, dirty }: HarnessState,
): Promise<HarnessState> {
  const listed = await readFile(join(root, FILE_LIST), 'utf8').then(JSON.parse, () => null)
  const expected = fileListSchema.safeParse(listed)
  const isAsPacked = expected.success && isSame(expected.data, digestFiles(root))
  return { commit, dirty: isAsPacked ? dirty : true }
}

function isSame(left: Record<string, string>, right: Record<string, string>): boolean {
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
  )
}
