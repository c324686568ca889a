import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { findModule, PACKAGE } from '#lib/setup/layout.mjs'
import type { LibraryAdapter } from './library-adapter.ts'

const manifestSchema = z.object({ version: z.string() })

/** The exact version of a subject; null when the library is missing or does not report one. */
export async function libraryVersion(
  adapter: LibraryAdapter,
  own: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (adapter.package === null) return (await adapter.version?.(own)) ?? null
  return installedVersion(adapter.package)
}

/** Why a package of ours cannot be used, as a sentence that says what to do; null = it can. */
export function findMissingPackage(name: string): string | null {
  if (installedVersion(name) !== null) return null
  const version = PACKAGE?.packages[name]
  return `The package ${name} is not installed: run npm install${version ? ` ${name}@${version}` : ''}.`
}

/** The version of a package as it is installed, without loading anything of it; null when it is not. */
function installedVersion(name: string): string | null {
  const path = join(findModule(name), 'package.json')
  if (!existsSync(path)) return null
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).version
}
