import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'

const sandboxFixSchema = z.object({
  /** The command that enables a sandbox on this machine; null = none is known. */
  command: z.string().nullable(),
})
/** Present while agents run without a sandbox on this machine, so that their entries are not ranked. */
export type SandboxFix = z.infer<typeof sandboxFixSchema>

const fileOf = () => join(env().dataDir, 'sandbox-fix.json')

/** Returns the last finding of this machine's worker; null = agents have a sandbox, or no worker has checked. */
export function readSandboxFix(): SandboxFix | null {
  if (!existsSync(fileOf())) return null
  return sandboxFixSchema.safeParse(parseJson(readFileSync(fileOf(), 'utf8'))).data ?? null
}

/** Stores the finding for the pages; null removes it. */
export function saveSandboxFix(fix: SandboxFix | null): void {
  if (fix === null) rmSync(fileOf(), { force: true })
  else writeFileSync(fileOf(), JSON.stringify(fix), { mode: 0o600 })
}
