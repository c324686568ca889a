import { lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { EpisodeBody } from '#lib/domain/episode.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'
import { readPlainFile } from './read-plain-file.ts'
import { walkWorkspace } from './walk-workspace.ts'

export type TouchedFile = EpisodeBody['integrity']['protectedFilesTouched'][number]

// Files that steer compilers, test runners and package managers: nothing an exercise asks for.
const STEERING =
  /(^|\/)(package(-lock)?\.json|tsconfig[^/]*\.json|jest\.(config|setup)[^/]*|babel\.config[^/]*|\.babelrc[^/]*|\.swcrc|vitest\.config[^/]*|yarn\.lock|\.yarnrc\.yml|\.npmrc|\.pnp\.[^/]*|__mocks__\/.*)$/

/**
 * Phase 3: puts every file that is not a solution file back as it was, and reports which were touched. The gate never
 * reads them from here, so this protects the evidence, not the verdict.
 */
export async function restoreProtected(
  task: LoadedExercise,
  workspace: string,
): Promise<TouchedFile[]> {
  const solution = new Set(task.task.files.solution)
  const touched: TouchedFile[] = []
  for (const { path, bytes } of task.template) {
    if (solution.has(path)) continue
    const found = await readPlainFile(workspace, path, bytes.length)
    if (found.kind === 'read' && found.bytes.equals(bytes)) continue
    touched.push({ path, change: found.kind === 'missing' ? 'deleted' : changeOf(found) })
    await putBack(workspace, path, bytes)
  }
  const { entries } = await walkWorkspace(workspace)
  const known = new Set(task.template.map((file) => file.path))
  const added = entries.filter(
    ({ path }) => !known.has(path) && !solution.has(path) && STEERING.test(path),
  )
  return [...touched, ...added.map(({ path }) => ({ path, change: 'added' as const }))]
}

function changeOf(found: { kind: string; reason?: string }): TouchedFile['change'] {
  return found.kind === 'refused' && found.reason?.includes('link')
    ? 'replaced-by-link'
    : 'modified'
}

/** Removes what stands in the file's place, and every link on the way there: nothing is written through a link. */
async function clearWay(workspace: string, path: string): Promise<void> {
  let current = workspace
  for (const part of path.split('/').slice(0, -1)) {
    current = join(current, part)
    const stat = await lstat(current).catch(() => null)
    if (stat && !stat.isDirectory()) await rm(current, { force: true })
  }
  await rm(join(workspace, path), { recursive: true, force: true })
}

async function putBack(workspace: string, path: string, bytes: Buffer): Promise<void> {
  try {
    await clearWay(workspace, path)
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await writeFile(join(workspace, path), bytes, { flag: 'wx' })
  } catch {
    // A subject may have made its folder unwritable or a link; the gate judges elsewhere, the report stands.
  }
}
