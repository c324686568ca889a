import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { dataFolder } from '../suites/project-paths.ts'
import type { LibraryAdapter, OptionalPackage } from './library-adapter.ts'

type Own = Readonly<Record<string, string | undefined>>

/** Returns the parts of an adapter that follow from its package. */
export function optionalParts(wanted: OptionalPackage) {
  return {
    package: null,
    optional: wanted,
    webdriver: false,
    lacks: {},
    findMissing: (own) => findMissingOptional(wanted, own),
    version: async (own) => optionalVersion(wanted, own),
    passesOn: ['PROOFBOARD_DATA_DIR'], // its process needs it to find the package
    programs: (own) => [optionalFolder(wanted, own)],
  } satisfies Partial<LibraryAdapter>
}

const manifestSchema = z.object({ version: z.string() })

/** Returns the folder of the package and its dependencies. */
export function optionalFolder({ library, version }: OptionalPackage, own: Own): string {
  return join(dataFolder(own), 'libraries', `${library}@${version}`)
}

/** Returns a sentence that says what to do; null = installed. */
function findMissingOptional(wanted: OptionalPackage, own: Own): string | null {
  if (existsSync(optionalFolder(wanted, own))) return null
  const { library, name, version } = wanted
  return `${name} ${version} is not installed: proofboard libraries install ${library}`
}

/** Returns the installed version; null if it is not installed. */
function optionalVersion(wanted: OptionalPackage, own: Own): string | null {
  const path = join(optionalFolder(wanted, own), 'node_modules', wanted.name, 'package.json')
  if (!existsSync(path)) return null
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).version
}

/** Parts of an adapter whose package has an agent of its own and no actions for scripts. */
export const AGENT_ONLY = {
  connect: async () => {
    throw new Error('its agent is driven by a model: scripts cannot drive it')
  },
  modelOnly: true,
} satisfies Partial<LibraryAdapter>

/** Loads a module of the package: by default its main module. */
export async function loadOptional(
  wanted: OptionalPackage,
  own: Own,
  name = wanted.name,
): Promise<unknown> {
  const from = createRequire(join(optionalFolder(wanted, own), 'node_modules', wanted.name, '_.js'))
  return import(pathToFileURL(from.resolve(name)).href)
}
