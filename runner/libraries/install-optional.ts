import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { npmInstall } from '../subjects/agents/install-agent.ts'
import { type OptionalPackage, optionalFolder } from './optional-package.ts'

type Own = Readonly<Record<string, string | undefined>>

/** Installs it, whole or not at all; a second call finds it. Null = it is there, else why not. */
export async function installOptional(wanted: OptionalPackage, own: Own): Promise<string | null> {
  const folder = optionalFolder(wanted, own)
  if (existsSync(folder)) return null
  const place = dirname(folder)
  await mkdir(place, { recursive: true })
  const draft = await mkdtemp(join(place, `.${wanted.library}-`))
  try {
    const failure = await npmInstall(draft, `${wanted.name}@${wanted.version}`, own)
    if (failure !== null) return failure
    // In its sandbox it runs as a user of its own.
    await chmod(draft, 0o755)
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error // another process was faster
    })
    return null
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
