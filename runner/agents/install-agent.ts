import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeProgram } from '../process/node-program.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { askVersion } from './ask-version.ts'
import { findBinary } from './find-binary.ts'
import { npmInstall } from './npm-install.ts'

type Own = Readonly<Record<string, string | undefined>>

/** The folder to put in PATH, or why the agent cannot be had here. */
export type InstalledAgent = { ok: true; bin: string } | { ok: false; reason: string }

/**
 * Installs the version of an agent that its definition was tested with, into a folder of its own below `place` that is
 * there whole or not at all; a second call finds it. Never throws for a registry that does not answer.
 */
export async function installAgent(
  definition: AgentDefinition,
  { place, own }: { place: string; own: Own },
): Promise<InstalledAgent> {
  const { name, install } = definition
  if (!install.npm || !install.tested) return { ok: false, reason: 'it is no npm package' }
  const folder = join(place, `${name}@${install.tested}`)
  const bin = join(folder, 'node_modules', '.bin')
  if (existsSync(folder)) return { ok: true, bin }
  await mkdir(place, { recursive: true })
  const draft = await mkdtemp(join(place, `.${name}-`))
  try {
    const failure =
      (await npmInstall(draft, `${install.npm}@${install.tested}`, own)) ??
      (await findMisfit(definition, join(draft, 'node_modules', '.bin'), own))
    if (failure !== null) return { ok: false, reason: failure }
    // Whoever is root lends the agent another user.
    await chmod(draft, 0o755)
    await rename(draft, folder).catch((error: unknown) => {
      // Somebody else was faster; theirs is as good.
      if (!existsSync(folder)) throw error
    })
    return { ok: true, bin }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** A package may install and still not start: another version, a platform's part missing, a newer Node needed. */
async function findMisfit(
  definition: AgentDefinition,
  bin: string,
  own: Own,
): Promise<string | null> {
  const { binary, install, needs } = definition
  const program = findBinary(binary, bin)
  const version = program && (await askVersion(definition, program, { PATH: `${bin}:${own.PATH}` }))
  if (version === (definition.version.prints ?? install.tested)) return null
  const asked = `"${binary} ${definition.version.args.join(' ')}" does not say ${install.tested}`
  const onNode = `on Node ${nodeProgram().version.slice(1)}${needs ? ` (it needs ${needs})` : ''}`
  return `${install.npm}@${install.tested} installs, but ${asked} ${onNode}`
}
