import type { Isolation } from './isolation.ts'

/**
 * No walls: a fresh HOME, an allow-listed environment, limits, and a whole-tree kill. The subject can read what the
 * runner's user can read and reach every network this machine reaches; its envelope says so.
 */
export const local: Isolation = {
  level: 'local',
  available: async () => null,
  record: async () => ({ isolation: 'local', containerImageDigest: null, tools: {} }),
  inside: ({ workspace, home, temporary }) => ({ workspace, home, temporary }),
  programPath: ({ host }) => host,
  path: null,
  gatewayPort: ({ port }) => port,
  ownFailure: null,
  enclose: async ({ command, env, places }) => ({
    command,
    env,
    cwd: places.workspace,
    holdsSubject: false,
    end: async () => true,
  }),
  lastWords: () => null,
  sweep: async () => {},
}
