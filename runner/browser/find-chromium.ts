import { listBrowserPaths } from '#lib/setup/ensure-browser.mjs'
import { browserError } from '../runner-error.ts'
import { runTool } from '../sandbox/process/run-tool.ts'
import { findBinary } from '../subjects/agents/find-binary.ts'

const LIMIT_MS = 20_000

/** A program and the version it says it has: `Chromium 156.0.8078.79`. */
export type FoundProgram = { path: string; version: string; major: number }

/**
 * The Chromium of this machine: PROOFBOARD_CHROMIUM, else PATH, the applications folder, Playwright's caches. Throws a
 * RunnerError that says what to do.
 */
export async function findChromium(
  own: Readonly<Record<string, string | undefined>>,
): Promise<FoundProgram> {
  const path = listBrowserPaths({ ...own }).find((one) => findBinary(one, '') !== null)
  if (path !== undefined) return askProgram(path, 'PROOFBOARD_CHROMIUM')
  if (own.PROOFBOARD_CHROMIUM)
    throw browserError(
      `PROOFBOARD_CHROMIUM=${own.PROOFBOARD_CHROMIUM} is not an executable program: give the path of a Chromium, or unset it`,
    )
  throw browserError(
    'no Chromium was found: install one (Debian: apt-get install chromium; macOS: brew install --cask chromium), or set PROOFBOARD_CHROMIUM to the path of one',
  )
}

/** Queries the program for its version; `setting` is the variable that names another one. */
export async function askProgram(path: string, setting: string): Promise<FoundProgram> {
  const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C' }
  const { code, stdout } = await runTool([path, '--version'], { env, timeoutMs: LIMIT_MS })
  const said = /([A-Za-z][A-Za-z ]*?) ((\d+)(?:\.\d+)+)/.exec(stdout)
  if (code !== 0 || !said)
    throw browserError(
      `${path} does not say its version (${path} --version): set ${setting} to the path of one that works`,
    )
  return { path, version: `${said[1]} ${said[2]}`, major: Number(said[3]) }
}
