import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import {
  configuredExecutors,
  EXECUTORS,
  type ExecutorName,
  type Executors,
  parseExecutors,
} from '#lib/domain/executors/index.ts'
import { problemLines } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'

/**
 * Reads the executors of this server; a missing file configures none. Throws an AppError that names the invalid field.
 */
export function readExecutors(): Executors {
  const { executorsFile: file } = env()
  if (!existsSync(file)) return { schemaVersion: 1 }
  const parsed = parseExecutors(readYaml(file))
  if (parsed.ok) return parsed.value
  const [line] = problemLines(parsed.problems, 1)
  throw new AppError('bad-configuration', `${file}: ${line}`)
}

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = (error as Error).message.split('\n')[0]
    throw new AppError('bad-configuration', `${file} cannot be read: ${why}`)
  }
}

/** Returns the settings of one executor. Throws an AppError that says where to add it. */
export function requireExecutor<K extends ExecutorName>(
  name: K,
): { settings: NonNullable<Executors[K]>; url: string } {
  const executors = readExecutors()
  const settings = executors[name]
  const url = (executors.url ?? env().publicUrl).replace(/\/+$/, '')
  if (settings) return { settings, url }
  const known = configuredExecutors(executors)
  const others = known.length > 0 ? ` Configured: ${known.join(', ')}.` : ''
  const message = `${name} is not configured: add it to ${env().executorsFile}.${others}`
  throw new AppError('invalid-request', message)
}

/** Parses an executor's name. Throws an AppError that lists the known ones. */
export function readExecutorName(text: string): ExecutorName {
  const name = EXECUTORS.find((known) => known === text)
  if (name) return name
  const message = `"${text.slice(0, 40)}" is not an engine: use ${EXECUTORS.join(', ')}`
  throw new AppError('invalid-request', message)
}
