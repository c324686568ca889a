import { POLICY } from '#lib/domain/eligibility/index.ts'
import { shellWord } from '#lib/domain/text/index.ts'
import { isSteering } from '../../arms/steering.ts'
import { findAlterable } from '../../repository/alter-tests.ts'
import { withOwnCanary } from '../../repository/canary.ts'
import { leastGuess } from '../../repository/guess.ts'
import { applyChanges } from '../../repository/overlay.ts'
import { permissionsOf } from '../../repository/permissions.ts'
import { resolveSolution } from '../../repository/resolve-solution.ts'
import type { ForAgents } from '../../suites/for-agents.ts'
import type { LoadedRepository, StoredSolution } from '../../suites/repository-folder.ts'
import { cheatTree } from '../cheat-tree.ts'
import { writeCommand } from '../write-command.ts'

/** Repository tasks as agents see them: a whole tree, whose change is judged as a patch. */
export const repositoryForAgents: ForAgents<LoadedRepository> = {
  hasOwnImage: false,
  prompt: (task) => [
    repositoryBase(task),
    '# Instructions',
    task.task.instruction,
    repositoryFacts(task),
  ],
  solve: ({ reference }) => ({ look: 'ls', write: writeStoredCommand(reference) }),
  writeReference: async ({ task, reference }, workspace) => {
    if (reference === null) throw new Error(`${task.taskId} has no solution`)
    await writeStored(reference, workspace)
    return 'its stored solution'
  },
  writeWrong: async ({ wrong }, place, workspace) => {
    const choice = wrong[place] as StoredSolution
    await writeStored(choice, workspace)
    return `wrong/${choice.name}`
  },
  cheat: ({ task }, _, workspace) => cheatTree(task.taskId, workspace),
  refuseCheating: () => null,
  refuseOverlay,
  declaredLimits: ({ task: { limits = {} } }, levels) => [
    { part: 'its set-up', bytes: limits.setup?.memoryBytes, level: levels.judging },
    { part: 'the agent', bytes: limits.agent?.memoryBytes, level: levels.agent },
    { part: 'its verifier', bytes: limits.verify?.memoryBytes, level: levels.judging },
  ],
  neededLevel: () => null,
  warnings: warningsOfGuess,
  answers: () => null,
  visibleTexts: () => null,
  owns: () => false,
}

function repositoryBase({ task: { title, change } }: LoadedRepository): string {
  const isFree = change.allow.length === 1 && change.allow[0] === '**'
  return [
    `Work on the repository in the current folder: "${title}". Nobody can answer questions: work until you are done, then end.`,
    ...(isFree ? [] : [`Change only: ${change.allow.join(', ')}.`]),
  ].join('\n')
}

function repositoryFacts({ task: { change, network } }: LoadedRepository): string {
  const { protect } = change
  const reaches = network !== 'off' && network.for.includes('agent')
  return [
    '# Environment',
    '',
    '- Your work is taken as a patch of this folder, applied to a fresh copy, and judged by tests that are not here.',
    `- Do not change or add configuration of the test runner${protect.length > 0 ? `, or any of: ${protect.join(', ')}` : ''}; it is put back before your work is judged.`,
    reaches
      ? `- The network can be used: ${network.reason}`
      : '- Do not use the network and install nothing.',
  ].join('\n')
}

/** Applies a patch with git, which every workspace of a repository has. */
function writeStoredCommand(solution: StoredSolution | null): string {
  if (solution === null) return 'true'
  if (solution.kind === 'overlay')
    return solution.changes
      .map(({ path, bytes }) => {
        const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
        const text = bytes?.toString('utf8') ?? ''
        return `mkdir -p ${shellWord(folder)} && ${writeCommand({ path, text })}`
      })
      .join(' && ')
  const encoded = Buffer.from(solution.text).toString('base64')
  return `printf %s ${encoded} | base64 --decode | git apply -`
}

async function writeStored(solution: StoredSolution, workspace: string): Promise<void> {
  await applyChanges(workspace, await resolveSolution(solution, workspace))
}

function warningsOfGuess({ tests, canary }: LoadedRepository): string[] {
  const alterable = findAlterable(withOwnCanary(tests, canary))
  const guess = leastGuess(alterable.tests.map(({ values }) => values))
  if (guess <= POLICY.mostGuess) return []
  return [
    `Too few of its tests compare with values that can be changed: work that does nothing of it can pass by guessing, once in ${Math.round(1 / guess)}, so no entry with it is ranked.`,
  ]
}

function refuseOverlay(
  files: Parameters<ForAgents<LoadedRepository>['refuseOverlay']>[0],
  { task, tests, reference }: LoadedRepository,
): string | null {
  const requested = changedBy(reference)
  const permissionOf = permissionsOf(task, new Set(tests.map(({ path }) => path)))
  for (const { path } of files) {
    const permission = permissionOf(path)
    if (permission === 'protected' || permission === 'replaced')
      return `${path} of ${task.taskId}, which decides how work is judged`
    if (requested.has(path.toLowerCase()))
      return `${path} of ${task.taskId}, which its solution changes`
    if (isSteering(path)) return `${path}, which steers how work is built and tested`
  }
  return null
}

/** Returns the paths where an overlay would hide the agent's work. */
function changedBy(reference: LoadedRepository['reference']): Set<string> {
  const paths =
    reference?.kind === 'patch'
      ? [...reference.text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path.trim())
      : (reference?.changes.map(({ path }) => path) ?? [])
  return new Set(paths.map((path) => path.toLowerCase()))
}
