import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { lastLine, parseJson } from '#lib/domain/text/index.ts'
import { stoppedError } from '../runner-error.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import { runTool } from '../sandbox/process/run-tool.ts'
import { findBinary } from '../subjects/agents/find-binary.ts'
import type { OptionalPackage } from './library-adapter.ts'

/** The folder of the packages, in that of the library. */
export const PACKAGES = 'packages'

/** The python that installed the packages, and where its own files are. */
export const pythonSchema = z.object({ python: z.string(), prefix: z.string() })

const MAX_INSTALL_MS = 30 * 60_000
const DESCRIBE =
  'import json, sys; print(json.dumps({"python": sys.executable, "prefix": sys.base_prefix}))'

/** Variables that pip needs to reach its index. */
const FOR_PIP = /^(HOME|PATH|LANG|TMPDIR|SSL_CERT_(FILE|DIR)|PIP_\w+|(https?|no)_proxy)$/i
/** Wheels alone, because other packages run programs while they are installed. */
const INSTALL = ['-m', 'pip', 'install', '--quiet', '--only-binary=:all:', '--no-cache-dir']

/** Installs a package with its dependencies, without a virtual environment. Null = installed, else why not. */
export async function pipInstall(
  folder: string,
  { name, version }: OptionalPackage,
  environment: Env,
  signal: AbortSignal,
): Promise<string | null> {
  if (findBinary('python3', environment.PATH ?? '') === null) return 'there is no python3 in PATH'
  const given = Object.entries(environment).filter(([key, value]) => value && FOR_PIP.test(key))
  const env = Object.fromEntries(given) as Record<string, string>
  const python = (args: string[]) =>
    runTool(['python3', ...args], { env, timeoutMs: MAX_INSTALL_MS, cwd: folder, signal })
  const about = pythonSchema.safeParse(parseJson((await python(['-c', DESCRIBE])).stdout))
  if (!about.success) return 'python3 does not start'
  const wanted = `${name}==${version}`
  const { code, stderr } = await python([...INSTALL, '--target', join(folder, PACKAGES), wanted])
  if (signal.aborted) throw stoppedError(`stopped: ${wanted} was not installed`)
  if (code !== 0) return `pip install ${wanted} failed: ${whyNot(stderr)}`
  await writeFile(join(folder, 'python.json'), JSON.stringify(about.data))
  return null
}

/** The cause is said before the summary, which blames the version. */
function whyNot(stderr: string): string {
  const cause = stderr.match(/^WARNING: Retrying.*'(?:\w+)\(.*?: (.*?)'\)': /m)?.[1]
  if (cause !== undefined) return `the package index cannot be reached (${cause})`
  return lastLine(stderr).replace(/^ERROR: /, '') || 'it said nothing'
}
