import { type Loader, stop, type TransformOptions, transform } from 'esbuild'
import type { ChildFile, ChildRole } from '../child/child-input.ts'
import type { SourceFile } from '../verifier-types.ts'

const LOADERS: Record<string, Loader> = {
  ts: 'ts',
  mts: 'ts',
  cts: 'ts',
  tsx: 'tsx',
  js: 'js',
  jsx: 'jsx',
  json: 'json',
}

export type Compiled = { files: ChildFile[]; error: null } | { files: null; error: string }

/** Compiles files to strict CommonJS, as the track's babel would. A syntax error is a value. */
export async function compileFiles(
  given: readonly SourceFile[],
  role: ChildRole,
  timeoutMs: number,
): Promise<Compiled> {
  const settled = await Promise.allSettled(given.map((file) => compileOne(file, role, timeoutMs)))
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed) return { files: null, error: describe(failed.reason) }
  return {
    files: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    error: null,
  }
}

async function compileOne(
  { path, text }: SourceFile,
  role: ChildFile['role'],
  timeoutMs: number,
): Promise<ChildFile> {
  const loader = LOADERS[path.slice(path.lastIndexOf('.') + 1)] ?? 'text'
  const options: TransformOptions = {
    loader,
    sourcefile: path,
    format: 'cjs',
    target: 'node20',
    platform: 'node',
    // import() would load modules from node; require() from the verifier.
    supported: { 'dynamic-import': false },
    banner: '"use strict";',
    charset: 'utf8',
    jsx: 'automatic',
    legalComments: 'none',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: true } },
  }
  const { code } = await compile(text, options, timeoutMs, path)
  return { path, role, code: code.startsWith('#!') ? code.slice(code.indexOf('\n')) : code }
}

let alone: Promise<unknown> = Promise.resolve()

/**
 * A source can crash the compiler's service, which affects concurrent compilations. All of them are compiled again, one
 * after the other: the culprit crashes it again, and that is its result.
 */
async function compile(
  text: string,
  options: TransformOptions,
  timeoutMs: number,
  path: string,
): Promise<{ code: string }> {
  try {
    return await withTimeout(transform(text, options), timeoutMs, path)
  } catch (error) {
    if (!isStopped(error)) throw error
    const again = alone.then(() => afresh(text, options, timeoutMs, path))
    alone = again.catch(() => undefined)
    return again
  }
}

async function afresh(text: string, options: TransformOptions, timeoutMs: number, path: string) {
  await stop()
  try {
    return await withTimeout(transform(text, options), timeoutMs, path)
  } catch (error) {
    if (isStopped(error)) await stop()
    throw error
  }
}

const isStopped = (error: unknown): boolean =>
  /service (was stopped|is no longer running)/.test(String(error))

async function withTimeout<T>(work: Promise<T>, timeoutMs: number, path: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  // There may be no listener any more when the service is stopped.
  work.catch(() => undefined)
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${path} took too long to compile`))
      // Only its end stops it.
      void stop()
    }, timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function describe(reason: unknown): string {
  const errors = (
    reason as {
      errors?: { text: string; location: { file: string; line: number; column: number } | null }[]
    }
  ).errors
  if (!errors?.length) return String(reason instanceof Error ? reason.message : reason)
  return errors
    .slice(0, 10)
    .map(({ text, location }) => {
      const said = text.startsWith('Top-level await') ? NO_TOP_LEVEL_AWAIT : text
      return location ? `${location.file}:${location.line}:${location.column + 1}: ${said}` : said
    })
    .join('\n')
}

const NO_TOP_LEVEL_AWAIT =
  'await works in functions only: the tests of an exercise load it as CommonJS, as jest does'
