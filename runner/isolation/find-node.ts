import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'

// Folders of the distribution: node lies among a thousand other programs there.
const SHARED_PREFIXES = new Set(['/', '/usr', '/usr/local', '/opt'])

/** The node that runs us: its program, and the folder that holds it alone (null when it is one of the system's). */
export function findNode(): { program: string; prefix: string | null } {
  const program = realpathSync(process.execPath)
  const prefix = dirname(dirname(program))
  return { program, prefix: SHARED_PREFIXES.has(prefix) ? null : prefix }
}
