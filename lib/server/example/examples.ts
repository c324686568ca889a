import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { env, otherDataFolder } from '../../env.ts'

/** Boards that are not this server's own, each in a separate data folder that can be deleted. */
export const exampleSchema = z.enum(['simulated', 'ts-bench'])
export type Example = z.infer<typeof exampleSchema>

/** Names the example that a browser looks at. Pages for a browser that has it are never cached. */
export const EXAMPLE_COOKIE = 'proofboard.example'

export function examplesFolder(): string {
  return join(env().dataDir, 'examples')
}

/** Folder of an example; from inside one, its sibling. */
export function folderOf(example: Example): string {
  return join(examplesFolder(), example)
}

/** The data folder of the example that a cookie header names; null = none, or it was removed. */
export function exampleFolder(cookies: string): string | null {
  if (!cookies.includes(EXAMPLE_COOKIE)) return null
  const value = /(?:^|;\s*)proofboard\.example=([a-z-]+)/.exec(cookies)?.[1]
  const parsed = exampleSchema.safeParse(value)
  if (!parsed.success) return null
  const folder = folderOf(parsed.data)
  return existsSync(join(folder, 'proofboard.db')) ? folder : null
}

/** The example whose data this code reads; null = the server's own board. */
export function currentExample(): Example | null {
  const folder = otherDataFolder()
  return folder === null ? null : (exampleSchema.safeParse(basename(folder)).data ?? null)
}
