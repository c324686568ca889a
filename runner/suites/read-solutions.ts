import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { patchToChanges } from '../repository/overlay.ts'
import { suiteError } from '../runner-error.ts'
import type { ExerciseFolder, SourceText } from './task-folder.ts'

type Solutions = ExerciseFolder['wrong']

/**
 * Reads the wrong solutions of a task: patches of its example files, or whole files for the first solution file. Throws
 * a RunnerError that names a patch which does not apply.
 */
export function readWrong(
  folder: string,
  solution: readonly string[],
  examples: readonly SourceText[],
): Solutions {
  const patched = listFiles(folder, 'wrong', /\.patch$/).map((file) => ({
    name: basename(file, '.patch'),
    files: underSolutionPaths(patchExamples(folder, file, examples), solution),
  }))
  const whole = readWhole(folder, 'wrong', solution)
  return [...patched, ...whole].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Reads solutions that are stored whole, one file each, for the first solution file. */
export function readWhole(
  folder: string,
  kind: 'wrong' | 'honest',
  [path]: readonly string[],
): Solutions {
  return listFiles(folder, kind, /\.tsx?$/).map((file) => ({
    name: basename(file, extname(file)),
    files: [{ path: path as string, text: readFileSync(join(folder, file), 'utf8') }],
  }))
}

/** Maps example files to the paths of the solution files: by base name if it matches, else by position. */
export function underSolutionPaths(
  examples: readonly SourceText[],
  solution: readonly string[],
): SourceText[] {
  return solution.flatMap((path, index) => {
    const match = examples.find((file) => basename(file.path) === basename(path)) ?? examples[index]
    return match ? [{ path, text: match.text }] : []
  })
}

function patchExamples(
  folder: string,
  file: string,
  examples: readonly SourceText[],
): SourceText[] {
  const read = (path: string) => {
    const example = examples.find((one) => one.path === path)
    return example ? Buffer.from(example.text) : null
  }
  try {
    const changes = patchToChanges(readFileSync(join(folder, file), 'utf8'), read)
    const other = changes.find(({ path, bytes }) => bytes === null || read(path) === null)
    if (other)
      throw new Error(`the patch may only change ${listPaths(examples)}, not ${other.path}`)
    return examples.map(({ path, text }) => {
      const change = changes.find((one) => one.path === path)
      return { path, text: change?.bytes?.toString('utf8') ?? text }
    })
  } catch (error) {
    const path = `${basename(folder)}/${file}`
    const { message } = error as Error
    throw suiteError(`task ${basename(folder)} cannot be loaded`, [{ path, message }])
  }
}

function listPaths(files: readonly SourceText[]): string {
  return files.map(({ path }) => path).join(', ')
}

function listFiles(folder: string, kind: 'wrong' | 'honest', suffix: RegExp): string[] {
  const below = join('.meta', kind)
  if (!existsSync(join(folder, below))) return []
  return readdirSync(join(folder, below))
    .filter((name) => suffix.test(name))
    .sort()
    .map((name) => join(below, name))
}
