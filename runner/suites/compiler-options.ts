import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readLooseJson } from './read-json.ts'

/** For tasks that bring no tsconfig.json: strict, and nothing that only a bundler would understand. */
export const DEFAULT_COMPILER_OPTIONS: Record<string, unknown> = {
  lib: ['ES2022', 'dom'],
  module: 'Node16',
  target: 'ES2022',
  strict: true,
  esModuleInterop: true,
  skipLibCheck: true,
  forceConsistentCasingInFileNames: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  isolatedModules: true,
}

/**
 * The compiler settings of a task: its own tsconfig.json, else the suite's, else the default. Always read from the
 * pristine folder. `extends` is not followed. Null when the file is there but broken.
 */
export function readCompilerOptions(taskFolder: string): Record<string, unknown> | null {
  for (const folder of [taskFolder, dirname(taskFolder)]) {
    const path = join(folder, 'tsconfig.json')
    if (!existsSync(path)) continue
    const config = readLooseJson(readFileSync(path, 'utf8'))
    if (typeof config !== 'object' || config === null) return null
    const options = (config as { compilerOptions?: unknown }).compilerOptions ?? {}
    return typeof options === 'object' && options !== null
      ? (options as Record<string, unknown>)
      : null
  }
  return DEFAULT_COMPILER_OPTIONS
}

/** `type` of the task's package.json decides how Node16 resolves; ours have none and are modules. */
export function readPackageType(taskFolder: string): 'module' | 'commonjs' {
  const path = join(taskFolder, 'package.json')
  if (!existsSync(path)) return 'module'
  const manifest = readLooseJson(readFileSync(path, 'utf8')) as { type?: unknown } | null
  return manifest?.type === 'module' ? 'module' : 'commonjs'
}
