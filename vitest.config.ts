import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { listTags } from './lib/testing/needs.ts'

const NEVER = ['node_modules/**', '.next/**', 'exercises/typescript/**', '**/fixtures/**']
const UNIT_ONLY = ['**/*.int.test.ts', '**/*.agents.test.ts', '**/*.long.test.ts']
/** Against a test that hangs. What may not take long says so itself: a busy machine takes ten times as long. */
const HANGS_MS = 180_000
const ROOMS = '{app,components,lib,runner,prisma,exercises/browser}'

/**
 * Projects, by file name: pure, real disk and processes, real agents, real browser. What takes
 * minutes is called `.long.test.ts` or `.long.e2e.ts`, and runs with `npm run test:all`.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`${ROOMS}/**/*.test.ts`],
          exclude: [...NEVER, ...UNIT_ONLY],
          // Pure code keeps nothing from file to file: loading it once for all of them halves the time.
          isolate: false,
          setupFiles: ['lib/testing/cpu-seconds.ts'],
          testTimeout: HANGS_MS,
        },
      },
      integration('integration', 'int'),
      integration('long', 'long'),
      {
        extends: true,
        test: {
          name: 'agents',
          include: ['runner/**/*.agents.test.ts'],
          exclude: NEVER,
          // Two runs of programs of up to 400 MB, on a machine that may be busy.
          testTimeout: 900_000,
          hookTimeout: 60_000,
        },
      },
      browser('e2e', [...NEVER, '**/*.long.e2e.ts']),
      browser('e2e-long', [...NEVER, '**/!(*.long).e2e.ts']),
    ],
    // Requirements of tests: a test is skipped if this machine lacks one.
    tags: await listTags(),
    // How many work at once is said with each command: a number here would stand before `--maxWorkers`.
    pool: 'forks',
    // Tests state what episodes end as, on whatever machine they run.
    env: { PROOFBOARD_STARVED_LIMIT: 'none' },
  },
})

function integration(name: string, suffix: string): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [`${ROOMS}/**/*.${suffix}.test.ts`],
      exclude: NEVER,
      // A process for several files, packages loaded once: our own modules and the environment are created again for each.
      isolate: false,
      setupFiles: ['lib/testing/cpu-seconds.ts', 'lib/testing/fresh-state.ts'],
      testTimeout: HANGS_MS,
      hookTimeout: HANGS_MS,
    },
  }
}

function browser(name: string, exclude: string[]): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: ['{app,components,lib,runner}/**/*.e2e.ts'],
      exclude,
      globalSetup: ['lib/testing/e2e/global-setup.ts'],
      isolate: false,
      setupFiles: ['lib/testing/cpu-seconds.ts', 'lib/testing/fresh-state.ts'],
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  }
}
