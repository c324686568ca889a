import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../mcp/package-bin.ts'

export const PACKAGE = 'agent-browser'

/** The native program that the package holds for this machine; null when there is none. */
export function findBinary(): string | null {
  const program = `agent-browser-${systemName()}-${process.arch}`
  const path = join(packageFolder(PACKAGE), 'bin', program)
  if (!existsSync(path)) return null
  // npm leaves it as it was packed when install scripts are off.
  if ((statSync(path).mode & 0o111) === 0) chmodSync(path, 0o755)
  return path
}

function systemName(): string {
  if (process.platform !== 'linux') return process.platform
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime === undefined ? 'linux-musl' : 'linux'
}
