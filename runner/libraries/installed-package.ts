import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ensureInstalled } from '#lib/setup/ensure-installed.mjs'
import { findModule, PACKAGE, ROOT } from '#lib/setup/layout.mjs'
import { SetupFailure } from '#lib/setup/progress.mjs'
import { placeError } from '../runner-error.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import type { LibraryAdapter } from './library-adapter.ts'

/** Returns the parts of an adapter that follow from its package, as most have them. */
export function packageParts(name: string) {
  return {
    package: name,
    webdriver: false,
    lacks: {},
    findMissing: () => findMissingPackage(name),
  } satisfies Partial<LibraryAdapter>
}

/** Connects the actions of an adapter to the browser. Throws if it cannot. */
export async function attach<A extends { attach(): Promise<unknown> }>(actions: A): Promise<A> {
  await actions.attach()
  return actions
}

const manifestSchema = z.object({ version: z.string() })

/** Returns the exact version of a subject; null if the library is missing or does not report one. */
export async function libraryVersion(adapter: LibraryAdapter, env: Env): Promise<string | null> {
  if (adapter.package === null) return (await adapter.version?.(env)) ?? null
  return installedVersion(adapter.package) ?? pinnedVersion(adapter.package)
}

/** Explains why a package of ours cannot be used, in a sentence that says what to do; null = it can. */
export function findMissingPackage(name: string): string | null {
  if (installedVersion(name) !== null || pinnedVersion(name) !== null) return null
  const version = PACKAGE?.packages[name]
  return `The package ${name} is not installed: run npm install${version ? ` ${name}@${version}` : ''}.`
}

/**
 * Installs missing packages of this clone before their first use, all at once; does nothing if the named ones are
 * installed. Throws a RunnerError that says what to do.
 */
export async function fetchPackages(names: readonly string[]): Promise<void> {
  if (names.every((name) => installedVersion(name) !== null || pinnedVersion(name) === null)) return
  try {
    await ensureInstalled({ packages: 'all' })
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    throw placeError(`${names.join(', ')} could not be fetched: ${error.message}`)
  }
}

const pinsSchema = z.object({ devDependencies: z.record(z.string(), z.string()) })

/** Returns the version in which a clone fetches a package on first use; null = it does not. */
function pinnedVersion(name: string): string | null {
  if (PACKAGE !== null) return null
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8')
  return pinsSchema.parse(JSON.parse(text)).devDependencies[name] ?? null
}

/** Returns the installed version of a package without loading it; null if it is not installed. */
function installedVersion(name: string): string | null {
  const path = join(findModule(name), 'package.json')
  if (!existsSync(path)) return null
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).version
}
