import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

/**
 * One TypeScript entry of this repository as a file that plain node runs; kept until a source changes. `entry` is
 * relative to the repository or absolute.
 */
export async function bundleProgram(entry: string): Promise<string> {
  // Loaded from where it lies: inside a bundle it would take the bundle's folder for the repository.
  const url = pathToFileURL(join(PROJECT_ROOT, 'lib', 'setup', 'bundle.mjs')).href
  const { bundleEntry } = await import(/* @vite-ignore */ url)
  return bundleEntry(resolve(PROJECT_ROOT, entry))
}
