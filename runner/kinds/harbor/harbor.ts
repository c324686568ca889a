import { writeError } from '../../cli/output.ts'
import { withJudging } from '../../cli/with-judging.ts'
import { ReferenceChecks } from '../../engine/reference-checks.ts'
import { referenceCheck } from '../../harbor/check-reference.ts'
import { freezeEscrow } from '../../harbor/freeze-escrow.ts'
import type { LoadedHarbor } from '../../harbor/harbor-folder.ts'
import { judgeHarbor } from '../../harbor/judge-harbor.ts'
import {
  describeHarborSuite,
  explainRegistryName,
  holdsOlderTasks,
  isHarborSuite,
  loadHarborTasks,
  OLDER_TASKS,
} from '../../harbor/load-harbor-suite.ts'
import { openPlace } from '../../harbor/open-place.ts'
import { prepareImages } from '../../harbor/prepare-images.ts'
import { proveHarbor } from '../../harbor/prove-harbor.ts'
import { takeState } from '../../harbor/take-state.ts'
import { chooseVariables, readAllowed } from '../../harbor/variables.ts'
import { openJudging, referenceCache } from '../../repository/open-judging.ts'
import { readToolchains } from '../../repository/read-toolchains.ts'
import { usageError } from '../../runner-error.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { dataFolder } from '../../suites/project-paths.ts'
import { freezeForAgents, openForAgents } from '../agent-plans.ts'
import { storedPatches } from '../judge-patch.ts'
import type { Kind } from '../kind.ts'
import { harborAdapter } from './harbor-adapter.ts'

const OF_HARBOR = 'this plan is run by Harbor: run its job, then submit the job folder with --plan'
const NO_FOLDER = 'a task in Harbor’s format is judged in its own container: run it instead'

/** Tasks in Harbor's format, judged by the reward of their own verifier. */
export const HARBOR: Kind<LoadedHarbor> = {
  name: 'harbor',
  usesVerifier: false,
  takesEnv: true,
  describeFolder: (folder) => (isHarborSuite(folder) ? describeHarborSuite(folder) : null),
  explainFolder: (folder) => (holdsOlderTasks(folder) ? OLDER_TASKS : explainRegistryName(folder)),
  load: async (folder) => loadHarborTasks(folder),
  prove: (_, tasks, { env = [], ...how }) => {
    const variables = readAllowed(env, RUNNER_ENV)
    const data = dataFolder(RUNNER_ENV)
    return withJudging((settings) => proveHarbor(tasks, { ...how, ...settings, variables, data }))
  },
  lock: async ({ suite: { suiteId } }) => {
    throw usageError(`${suiteId} is a suite in Harbor’s format: it has no test names to keep`)
  },
  freeze: async (options, suite, now) =>
    options.escrow === undefined
      ? freezeForAgents(options, suite, now)
      : freezeEscrow(options, suite),
  open: async (plan, suite, parts) => {
    if (plan.escrow) throw usageError(OF_HARBOR)
    return openForAgents(plan, suite, parts, {
      judging: 'bubblewrap',
      open: async (first) => {
        const { isolation, env = [] } = parts
        const planned = new Set(plan.tasks.map(({ taskId }) => taskId))
        const tasks = suite.tasks.filter(({ task }) => planned.has(task.taskId))
        const variables = chooseVariables(tasks, readAllowed(env, RUNNER_ENV))
        if (isolation.level === 'docker')
          await prepareImages(tasks, { needsNode: first.metered === true, report: writeError })
        const checks = new ReferenceChecks(referenceCache(RUNNER_ENV))
        // Tasks in their image bring their own programs; the others use those of this machine in bubblewrap.
        const judging = isolation.level === 'local' ? await openJudging(null) : isolation
        const toolchains = judging.level === 'bubblewrap' ? await readToolchains(judging) : {}
        return {
          adapterOf: (driver) => harborAdapter(driver, { isolation, checks, variables }),
          ...toolchains,
        }
      },
    })
  },
  refuseFolder: NO_FOLDER,
  judgeFolder: async () => {
    throw usageError(NO_FOLDER)
  },
  stored: storedPatches<LoadedHarbor>({
    refuse: ({ task: { place }, refusal }) => {
      if (refusal !== null) return `the task ${refusal}`
      return place.kind === 'files' ? null : `the task needs docker, because ${place.why}`
    },
    referenceCheck: (task, settings) => referenceCheck(task, settings, settings.isolation),
    takeState,
    judge: async (task, work, settings) => {
      const place = await openPlace(task, settings, { requested: settings.isolation, name: null })
      try {
        return await judgeHarbor(place, work, task)
      } finally {
        await place.leave()
      }
    },
  }),
  describe: ({ task: { place, verifier } }) =>
    `${place.kind === 'files' ? 'folder' : 'image'}, reward, network ${verifier.network}`,
}
