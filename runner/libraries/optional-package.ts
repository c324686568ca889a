import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Env } from '../sandbox/process/own-env.ts'
import { dataFolder } from '../suites/project-paths.ts'
import type { LibraryAdapter, OptionalPackage } from './library-adapter.ts'

/** Returns the parts of an adapter that follow from its package. */
export function optionalParts(wanted: OptionalPackage) {
  return {
    package: null,
    optional: wanted,
    webdriver: false,
    lacks: {},
    findMissing: (env) => findMissingOptional(wanted, env),
    version: async (env) => optionalVersion(wanted, env),
    passesOn: ['PROOFBOARD_DATA_DIR'], // its process needs it to find the package
    programs: (env) => [optionalFolder(wanted, env)],
  } satisfies Partial<LibraryAdapter>
}

const manifestSchema = z.object({ version: z.string() })

/** Returns the folder of the package and its dependencies. */
export function optionalFolder({ library, version }: OptionalPackage, env: Env): string {
  return join(dataFolder(env), 'libraries', `${library}@${version}`)
}

/** Returns a sentence that says what to do; null = installed. */
function findMissingOptional(wanted: OptionalPackage, env: Env): string | null {
  if (existsSync(optionalFolder(wanted, env))) return null
  const { library, name, version } = wanted
  return `${name} ${version} is not installed: proofboard libraries install ${library}`
}

/** Returns the installed version; null if it is not installed. */
function optionalVersion(wanted: OptionalPackage, env: Env): string | null {
  const path = join(optionalFolder(wanted, env), 'node_modules', wanted.name, 'package.json')
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
  env: Env,
  name = wanted.name,
): Promise<unknown> {
  const from = createRequire(join(optionalFolder(wanted, env), 'node_modules', wanted.name, '_.js'))
  return import(pathToFileURL(from.resolve(name)).href)
}
