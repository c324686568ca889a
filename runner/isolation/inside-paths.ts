import type { Places, ProgramFolder } from './isolation.ts'

/**
 * Where things lie inside a sandbox, always: agents put these paths into their requests, and only equal requests can
 * be answered from a recording.
 */
export const INSIDE: Places = { workspace: '/workspace', home: '/home/agent', temporary: '/tmp' }

export const INSIDE_GATEWAY = { socketPath: '/run/gateway.sock', port: 8787 } as const

/** Our own two files inside: the entrance and the bridge. */
export const INSIDE_HOUSE = '/run/proofboard'

export const INSIDE_NODE = '/opt/node'

export const INSIDE_PATH = `${INSIDE_NODE}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

/** Where an installed program lies inside. */
export function insideProgram({ name }: Pick<ProgramFolder, 'name'>): string {
  return `/opt/${name}`
}
