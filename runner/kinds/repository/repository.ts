import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isGitPath } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { writeError } from '../../cli/output.ts'
import { withJudging } from '../../cli/with-judging.ts'
import { ReferenceChecks } from '../../engine/reference-checks.ts'
import { referenceCheck } from '../../repository/check-reference.ts'
import { judgeWork } from '../../repository/judge-work.ts'
import { baseCache, openJudging, referenceCache } from '../../repository/open-judging.ts'
import { permissionsOf } from '../../repository/permissions.ts'
import { prepareBase } from '../../repository/prepare-base.ts'
import { readToolchains } from '../../repository/read-toolchains.ts'
import { type TakenWork, takeChanges, takeStored } from '../../repository/take-changes.ts'
import { usageError } from '../../runner-error.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { foldersWith } from '../../suites/folders-with.ts'
import { REPOSITORY_FILE, readRepositoryTask } from '../../suites/read-repository-task.ts'
import type { LoadedRepository } from '../../suites/repository-folder.ts'
import { proveRepositories } from '../../suites/verify/prove-repository.ts'
import { freezeForAgents, openForAgents } from '../agent-plans.ts'
import { storedPatches } from '../judge-patch.ts'
import type { Kind } from '../kind.ts'
import { repositoryAdapter } from './repository-adapter.ts'

/** Tasks on a copy of a repository, judged by its own tests from the patch of the work. */
export const REPOSITORY: Kind<LoadedRepository> = {
  name: 'repository',
  usesVerifier: false,
  load: async (folder) => {
    const tasks: LoadedRepository[] = []
    for (const path of foldersWith(folder, [REPOSITORY_FILE]))
      tasks.push(await readRepositoryTask(path))
    return { tasks }
  },
  prove: (_, tasks, how) =>
    withJudging((settings) => proveRepositories(tasks, { ...how, ...settings })),
  lock: async ({ suite: { suiteId } }) => {
    throw usageError(
      `${suiteId} is a suite of repository tasks: "proofboard suite verify ${suiteId}" stores their test names`,
    )
  },
  freeze: freezeForAgents,
  open: async (plan, suite, parts) => {
    const { isolation } = parts
    // Solutions run in the strongest sandbox of this machine, whatever the subject had.
    const judging = await openJudging(isolation)
    const open = async () => {
      if (judging.level === 'local')
        writeError('judging: solutions run without a sandbox here, and can use your network')
      const checks = new ReferenceChecks(referenceCache(RUNNER_ENV))
      const settings = { isolation, judging, cache: baseCache(RUNNER_ENV), checks }
      return {
        adapterOf: (driver: Parameters<typeof repositoryAdapter>[0]) =>
          repositoryAdapter(driver, settings),
        ...(await readToolchains(judging)),
      }
    }
    return openForAgents(plan, suite, parts, { judging: judging.level, open })
  },
  judgeFolder: async (task, folder) => {
    if (task.unproven !== null) throw usageError(`${task.task.taskId} ${task.unproven}`, '--task')
    return withJudging(async (settings) => {
      const base = await prepareBase(task, settings)
      const permissionOf = permissionsOf(task.task, new Set(task.tests.map(({ path }) => path)))
      const work = await takeChanges(base.entries, folder, { permissionOf, droppings: [] })
      return judgeWork(task, base, work, settings)
    })
  },
  stored: storedPatches<LoadedRepository>({
    refuse: ({ folder, task: { source }, unproven }) => {
      if (unproven !== null) return `the task ${unproven}`
      return 'git' in source && isGitPath(source.git) && !existsSync(resolve(folder, source.git))
        ? 'the repository that the task starts from is not on this machine'
        : null
    },
    referenceCheck: async (task, settings) =>
      referenceCheck(task, await prepareBase(task, settings), settings),
    judge: async (task, { changes, problem }, settings) => {
      const base = await prepareBase(task, settings)
      const permissionOf = permissionsOf(task.task, new Set(task.tests.map(({ path }) => path)))
      const taken: TakenWork = await takeStored(base.entries, changes, permissionOf)
      return judgeWork(task, base, { ...taken, problem: problem ?? taken.problem }, settings)
    },
  }),
  describe: ({ task: { verify, expectedTests } }) =>
    `${verify.report.format}, ${countOf(expectedTests.length, 'test')}`,
}
