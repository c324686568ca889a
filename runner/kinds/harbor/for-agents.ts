import { type LoadedHarbor, stepsOf } from '../../harbor/harbor-folder.ts'
import { placeLimits } from '../../harbor/place-limits.ts'
import { limitsOfServices } from '../../harbor/services/task-services.ts'
import type { Change } from '../../repository/overlay.ts'
import type { ForAgents } from '../../suites/for-agents.ts'
import { cheatTree } from '../cheat-tree.ts'

/** Tasks in Harbor's format as agents see them: a place of their own, whose whole tree is judged. */
export const harborForAgents: ForAgents<LoadedHarbor> = {
  hasOwnImage: true,
  prompt: ({ task }) => [HARBOR_BASE, '# Instructions', task.instruction],
  steps: stepsOf,
  solve: ({ solution }) => ({ look: 'ls', write: runScript(solution ?? []) }),
  writeReference: async ({ task }) => {
    throw new Error(`${task.taskId} has a script as its solution`)
  },
  writeWrong: async ({ task }) => {
    throw new Error(`${task.taskId} keeps no wrong solution`)
  },
  cheat: ({ task }, _, workspace) => cheatTree(task.taskId, workspace),
  refuseReference: ({ solution }) => (solution === null ? 'has no solution/solve.sh' : null),
  refuseCheating: ({ task }) =>
    task.place.kind === 'image' ? 'is judged in its image, where it does nothing' : null,
  refuseOverlay,
  declaredLimits: (loaded, { judging }) => [
    { part: 'its place', bytes: placeLimits(loaded.task).memoryBytes, level: judging },
    ...limitsOfServices(loaded).map(({ name, bytes }) => ({
      part: `its service ${name}`,
      bytes,
      level: judging,
    })),
  ],
  neededLevel: ({ task: { taskId, place } }) =>
    place.kind === 'image'
      ? { level: 'docker', why: `${taskId} needs docker, because ${place.why}` }
      : {
          level: 'bubblewrap',
          why: `${taskId} works in paths such as /app and /tests, which only a sandbox can show`,
        },
  warnings: () => [],
  answers: () => null,
  visibleTexts: () => null,
  owns: () => false,
}

const HARBOR_BASE =
  'Work on the task below in the current folder. Nobody can answer questions: work until you are done, then end.'

/** The solution is a script that leaves nothing in the agent's folder. */
function runScript(files: readonly Change[]): string {
  const script = files.find(({ path }) => path === 'solve.sh')?.bytes ?? Buffer.from('true')
  return `printf %s ${script.toString('base64')} | base64 --decode | bash`
}

// Folders that are never read from a workspace.
const HIDDEN = /(^|\/)(\.git|node_modules|\.yarn|\.meta)(\/|$)/i

function refuseOverlay(
  files: Parameters<ForAgents<LoadedHarbor>['refuseOverlay']>[0],
  { task, base }: LoadedHarbor,
): string | null {
  if (task.place.kind === 'image' && files.length > 0)
    return `a file on ${task.taskId}, whose whole image is judged`
  const own = new Set(base.map(({ path }) => path.toLowerCase()))
  const taken = files.find(({ path }) => own.has(path.toLowerCase()))
  if (taken) return `${taken.path} of ${task.taskId}, which is a file of the task`
  const steering = files.find(({ path }) => HIDDEN.test(path))
  return steering ? `${steering.path}, which steers how work is built and tested` : null
}
