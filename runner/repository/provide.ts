import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryTask } from '#lib/domain/tasks/index.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { copyTree, readTree } from './tree.ts'

type Provided = RepositoryTask['provide'][number]

const MODULES = join(PROJECT_ROOT, 'node_modules')

/** Name and version of a package of this installation. */
export function describePackage(name: Provided): string {
  const text = readFileSync(join(MODULES, name, 'package.json'), 'utf8')
  return `${name}@${(JSON.parse(text) as { version: string }).version}`
}

/** Copies a package of this installation, with its program for this machine, into a repository. */
export async function copyPackage(name: Provided, root: string): Promise<void> {
  const program = join(`@${name}`, `${process.platform}-${process.arch}`)
  for (const folder of [name, program]) {
    const from = join(MODULES, folder)
    if (!existsSync(from)) throw new Error(`${folder} is not installed here`)
    const to = join(root, 'node_modules', folder)
    await mkdir(to, { recursive: true })
    await copyTree(await readTree(from), from, to)
  }
}
