import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { listTags } from './lib/testing/needs.ts'
import { ClosingLine } from './lib/testing/run/closing-line.mjs'

const ROOMS = '{app,components,lib,runner,prisma,exercises/browser}'
const NEVER = ['node_modules/**', '.next/**', 'exercises/typescript/**', '**/fixtures/**']
/** Limit for a test that hangs. Tests with their own limits set them; a busy machine takes ten times as long. */
const HANGS_MS = 400_000
const HOUR_MS = 3_600_000
/** Not all processors of a large machine, because a test's processes use several each. */
const PROCESSORS = Math.min(4, availableParallelism())

const { env } = process
const isNight = env.PROOFBOARD_TEST_NIGHT === 'all'
/** All random draws, libraries, viewports, agents and isolation levels, only in `npm run test:all`. */
const EVERYTHING = {
  PROOFBOARD_TEST_DRAWS: 'all',
  PROOFBOARD_TEST_LIBRARIES: 'all',
  PROOFBOARD_TEST_VIEWS: 'all',
  PROOFBOARD_TEST_AGENTS: 'pi,codex',
  PROOFBOARD_TEST_ISOLATION: 'local,bubblewrap,docker',
}
const tags = await listTags()

type Settings = TestProjectInlineConfiguration['test']

/**
 * Files that share processes, with packages loaded once; the project's modules and the environment are recreated for
 * each.
 */
const SHARED: Settings = {
  setupFiles: ['lib/testing/fresh-state.ts'],
  testTimeout: HANGS_MS,
  hookTimeout: HANGS_MS,
  // A test that passes only the second time is reported, and fails `npm run test:all`.
  retry: 1,
}
const BROWSER: Settings = {
  ...SHARED,
  globalSetup: ['lib/testing/e2e/global-setup.ts'],
}
const POSTGRES: Settings = {
  ...SHARED,
  globalSetup: ['lib/testing/factories/postgres-setup.ts'],
  tags: await listTags(true),
  env: { PROOFBOARD_TEST_DATABASE: 'postgresql' },
}

/** Projects, by file name. package.json says which command runs which, CONTRIBUTING.md what each is for. */
export default defineConfig({
  test: {
    projects: [
      // Pure code has no state: loading it once for all files halves the time.
      project('unit', `${ROOMS}/**/!(*.int|*.agents|*.long|*.alone).test.ts`, 0, PROCESSORS + 1, {
        testTimeout: HANGS_MS,
      }),
      project('checks', 'lib/testing/*.check.ts', 0, PROCESSORS + 1, { testTimeout: HOUR_MS }),
      // These wait half of their time (kills, leases, limits), so more of them run than there are processors.
      project('integration', `${ROOMS}/**/*.int.test.ts`, 1, PROCESSORS + 3, SHARED),
      project('browser', `${ROOMS}/**/!(*.long).e2e.ts`, 2, PROCESSORS + 1, BROWSER),
      project('long', `${ROOMS}/**/*.long.test.ts`, 3, 2, SHARED),
      project('browser-long', `${ROOMS}/**/*.long.e2e.ts`, 4, PROCESSORS + 1, BROWSER),
      // Programs of up to 400 MB, on a machine that may be busy.
      project('agents', 'runner/**/*.agents.test.ts', 5, 2, {
        isolate: true,
        testTimeout: 900_000,
        hookTimeout: 60_000,
      }),
      project('alone', `${ROOMS}/**/*.alone.test.ts`, 6, 1, { testTimeout: HOUR_MS }),
      project('postgresql', 'lib/{db,server,worker}/**/*.int.test.ts', 7, PROCESSORS, POSTGRES),
    ],
    reporters: ['default', new ClosingLine()],
    silent: 'passed-only',
    slowTestThreshold: 10_000,
  },
})

/**
 * A project with the files of a pattern. Of several projects, those with a lower `order` run first. With `extends`, each
 * project would load this file again, which starts programs to see what the machine has.
 */
function project(
  name: string,
  files: string,
  order: number,
  workers: number,
  settings: Settings,
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [files],
      exclude: NEVER,
      isolate: false,
      pool: 'forks',
      tags,
      ...settings,
      sequence: { groupOrder: order },
      maxWorkers: Number(env.VITEST_MAX_WORKERS) || workers,
      env: {
        // Tests expect the same endings on every machine.
        PROOFBOARD_STARVED_LIMIT: 'none',
        ...(isNight && EVERYTHING),
        ...settings?.env,
      },
    },
  }
}
