import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { npmInstall } from '#runner/subjects/agents/installed-agent.ts'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'

/** The version that Proofboard's runner is known to work under. */
export const BUN_VERSION = '1.4.5'
/** 100 MB that only this test needs: not among the packages that every install gets. */
const PLACE = join(PROJECT_ROOT, '.cache', 'bun')

export type InstalledBun = { ok: true; program: string } | { ok: false; reason: string }

/** Bun from the registry, in a folder of its own that is there whole or not at all; a second call finds it. */
export async function installBun(): Promise<InstalledBun> {
  const folder = join(PLACE, BUN_VERSION)
  if (!existsSync(folder)) {
    await mkdir(PLACE, { recursive: true })
    const draft = await mkdtemp(join(PLACE, '.draft-'))
    try {
      const failure = await npmInstall(draft, `bun@${BUN_VERSION}`, process.env)
      if (failure !== null) return { ok: false, reason: failure }
      if (findProgram(draft) === null) return { ok: false, reason: 'it does not start here' }
      await rename(draft, folder).catch((error: unknown) => {
        // Another process was faster; its copy is as good.
        if (!existsSync(folder)) throw error
      })
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
  const program = findProgram(folder)
  return program === null ? { ok: false, reason: 'it does not start here' } : { ok: true, program }
}

/** Its install script moves the program out of the build for this processor; where scripts are off it stays there. */
function findProgram(folder: string): string | null {
  const modules = join(folder, 'node_modules')
  const builds = existsSync(join(modules, '@oven')) ? readdirSync(join(modules, '@oven')) : []
  const programs = [
    join(modules, 'bun', 'bin', 'bun.exe'),
    ...builds.map((name) => join(modules, '@oven', name, 'bin', 'bun')),
  ]
  return programs.filter((path) => existsSync(path)).find(saysVersion) ?? null
}

function saysVersion(program: string): boolean {
  const { status, stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  return status === 0 && stdout.trim() === BUN_VERSION
}
