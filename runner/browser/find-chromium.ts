import { listBrowserPaths } from '#lib/setup/ensure-browser.mjs'
import { browserError, RunnerError } from '../runner-error.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import { runTool } from '../sandbox/process/run-tool.ts'
import { findBinary } from '../subjects/agents/find-binary.ts'

const LIMIT_MS = 20_000

/** A program and its reported version: `Chromium 156.0.8078.79`. */
export type FoundProgram = { path: string; version: string; major: number }

/**
 * Finds the Chromium of this machine: PROOFBOARD_CHROMIUM, else the first working one of PATH, the applications folder
 * and Playwright's caches. Throws a RunnerError that says what to do.
 */
export async function findChromium(env: Env): Promise<FoundProgram> {
  const paths = listBrowserPaths({ ...env }).filter((one) => findBinary(one, '') !== null)
  const found = await findWorking(paths, 'PROOFBOARD_CHROMIUM')
  if (found !== null) return found
  if (env.PROOFBOARD_CHROMIUM)
    throw browserError(
      `PROOFBOARD_CHROMIUM=${env.PROOFBOARD_CHROMIUM} is not an executable program: give the path of a Chromium, or unset it`,
    )
  throw browserError(
    'no Chromium was found: install one (Debian: apt-get install chromium; macOS: brew install --cask chromium), or set PROOFBOARD_CHROMIUM to the path of one',
  )
}

/**
 * Returns the first of these programs that reports its version and that `fits` accepts: a wrapper whose program is gone
 * may be among them. Null = the list is empty. If none works, throws the error of the first.
 */
export async function findWorking(
  paths: readonly string[],
  setting: string,
  fits: (found: FoundProgram) => RunnerError | null = () => null,
): Promise<FoundProgram | null> {
  let problem: RunnerError | null = null
  for (const path of paths) {
    const found = await askProgram(path, setting)
    const refusal = found instanceof RunnerError ? found : fits(found)
    if (refusal === null) return found as FoundProgram
    problem ??= refusal
  }
  if (problem !== null) throw problem
  return null
}

/** Queries the program for its version; `setting` is the variable that names another one. */
async function askProgram(path: string, setting: string): Promise<FoundProgram | RunnerError> {
  const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C' }
  const { code, stdout } = await runTool([path, '--version'], { env, timeoutMs: LIMIT_MS })
  const match = /([A-Za-z][A-Za-z ]*?) ((\d+)(?:\.\d+)+)/.exec(stdout)
  if (code === 0 && match)
    return { path, version: `${match[1]} ${match[2]}`, major: Number(match[3]) }
  return browserError(
    `${path} does not print its version (${path} --version): set ${setting} to the path of one that works`,
  )
}
