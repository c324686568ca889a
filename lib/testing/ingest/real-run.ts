import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestBytes } from '#lib/domain/digest.ts'
import { startProofboard } from '#lib/testing/proofboard-command.ts'
import { temporarySuite } from '#lib/testing/temporary-suite.ts'

/** A run that the runner's own command made: its folder, and its result.json as text. */
export type RealRun = { dataDir: string; folder: string; runId: string; bundle: string }

/** Runs the reference on one small exercise, twice; a few seconds. Whoever calls removes `dataDir`. */
export async function makeRealRun(verifyTimeoutMs?: number): Promise<RealRun> {
  const suiteId = 'small'
  const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-real-'))
  temporarySuite(dataDir, suiteId, ['lru-cache'], verifyTimeoutMs)
  const args = ['run', '--subject', 'reference', '--suite', suiteId, '--repetitions', '2', '--json']
  const { code, stderr } = await startProofboard(dataDir, args).ended
  if (code !== 0) throw new Error(`the runner ended with ${code}: ${stderr}`)
  const [runId = ''] = readdirSync(join(dataDir, 'runs'))
  const folder = join(dataDir, 'runs', runId)
  return { dataDir, folder, runId, bundle: readFileSync(join(folder, 'result.json'), 'utf8') }
}

/** Every file of a folder by its path, under `prefix`. */
export function readFolder(folder: string, prefix = ''): Map<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    paths
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [`${prefix}${path.slice(folder.length + 1)}`, readFileSync(path)] as const
      }),
  )
}

export const digestOf = (bytes: Uint8Array): string => digestBytes(bytes)
