import { realpathSync } from 'node:fs'
import { findBinary } from '../../subjects/agents/find-binary.ts'
import { RUNNER_ENV } from './own-env.ts'
import { TOOL_ENV } from './run-tool.ts'

/**
 * Returns the path of a program of bubblewrap or util-linux; null = not installed. busybox's versions lack required
 * features. System folders come first, because an agent may have written to the user's.
 */
export function findTool(name: string): string | null {
  const folders = [TOOL_ENV.PATH, RUNNER_ENV.PATH ?? ''].join(':')
  const path = findBinary(name, folders)
  return path === null || realpathSync(path).includes('busybox') ? null : path
}
