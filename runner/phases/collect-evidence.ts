import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestBytes } from '#lib/domain/digest.ts'
import type { EvidenceFile } from '#lib/domain/episode.ts'
import { writeAtomic } from '../store/write-atomic.ts'
import type { SourceText } from '../suites/task-folder.ts'

export type EvidenceTexts = { gateLog: string; diff: string; solution: readonly SourceText[] }

/** Phase 5: puts diff, gate log and solution beside the subject's log and names each by digest and size. */
export async function collectEvidence(attemptFolder: string, texts: EvidenceTexts): Promise<EvidenceFile[]> {
  const wanted: { role: EvidenceFile['role']; path: string; text: string }[] = [
    { role: 'gate-log', path: 'gate.log', text: texts.gateLog },
    { role: 'workspace-diff', path: 'workspace.diff', text: texts.diff },
    ...texts.solution.map(({ path, text }) => ({ role: 'solution' as const, path: join('solution', path), text })),
  ]
  return Promise.all(
    wanted.map(async ({ role, path, text }) => {
      const bytes = Buffer.from(text)
      await mkdir(dirname(join(attemptFolder, path)), { recursive: true })
      await writeAtomic(join(attemptFolder, path), bytes)
      return { role, path, digest: digestBytes(bytes), sizeBytes: bytes.length, droppedBytes: 0 }
    }),
  )
}
