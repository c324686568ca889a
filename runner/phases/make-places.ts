import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The folders of one attempt; all are new and nobody else's. */
export type Workspace = {
  folder: string
  workspace: string
  home: string
  temporary: string
  remove: () => Promise<void>
}

/** A folder below `parent` (a new one, or the one that `name` fixes) with a workspace, a HOME and a temporary folder. */
export async function makePlaces(
  parent: string,
  name: string | null,
  workspaceName: string,
): Promise<Workspace> {
  const folder = name === null ? await mkdtemp(join(parent, 'episode-')) : join(parent, name)
  if (name !== null) await mkdir(folder)
  const workspace = join(folder, workspaceName)
  const home = join(folder, 'home')
  const temporary = join(folder, 'tmp')
  await Promise.all([workspace, home, temporary].map((path) => mkdir(path)))
  return { folder, workspace, home, temporary, remove: () => removeTree(folder) }
}

/**
 * A subject may leave folders that nobody may enter: they are opened first. What still cannot be removed is left to
 * the run's guard; an episode is not void because of it.
 */
async function removeTree(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
  await remove().catch(() =>
    openFolders(folder)
      .then(remove)
      .catch(() => {}),
  )
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) {
    if (entry.isDirectory()) await openFolders(join(folder, entry.name)).catch(() => {})
  }
}
