import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PendingEvaluation } from '#lib/db/evaluation-store.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { type Episode, sealEpisode } from '#lib/domain/record/index.ts'
import { settleEnv } from '#lib/env.ts'
import { evidenceStore } from '#lib/server/evidence/configured-store.ts'
import { evidenceRef } from '#lib/server/evidence/evidence-store.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleEpisode } from '#lib/testing/factories/samples.ts'
import { type StandIn, startStandIn } from '#lib/testing/s3/stand-in.ts'
import { evaluateBatch } from './evaluate-batch.ts'

const temporary = databaseForEach()
let bucket: StandIn
beforeEach(async () => {
  bucket = await startStandIn()
  useEnv(bucket.settings())
})
afterEach(() => bucket.close())

function useEnv(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value)
  settleEnv(process.cwd())
}

const VERIFIER = {
  digest: digestBytes('verifier'),
  sandbox: 'bubblewrap',
  network: 'none',
} as const

/**
 * Creates an uploaded episode with one file in the bucket. Its row is not in the database, so no result can be stored.
 */
async function uploaded(repetition: number, changes: Partial<Episode> = {}) {
  const bytes = Buffer.from(`log of ${repetition}`)
  const file = {
    role: 'events',
    path: 'subject.log',
    digest: digestBytes(bytes),
    sizeBytes: bytes.length,
    droppedBytes: 0,
  } as const
  const { seal: _, ...body } = sampleEpisode({ repetition, evidence: [file], ...changes })
  const episode = sealEpisode(body)
  const directory = `received/${episode.runId}/${episode.episodeId}`
  for (const one of episode.evidence)
    await evidenceStore().put(evidenceRef(directory, one) as never, bytes)
  return pending(episode, directory)
}

function pending(episode: Episode, directory: string | null): PendingEvaluation {
  const { episodeId, seal, suiteId } = episode
  return {
    episodeId,
    seal,
    suiteId,
    suiteKind: 'exercise',
    hasTask: true,
    directory,
    envelope: JSON.stringify(episode),
    receivedAt: new Date(),
    number: 1,
  }
}

function evaluate(waiting: readonly PendingEvaluation[]): Promise<number> {
  const { signal } = new AbortController()
  const { db } = temporary
  const batch = { db, signal, verifier: VERIFIER, isSettled: () => true, onKept: () => {} }
  return evaluateBatch(waiting, batch)
}

/** Lists evidence that is checked out now. */
function held(): string[] {
  const cache = join(temporary.dir, 'evidence-cache')
  return existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('held-')) : []
}

it('releases the evidence of all if that of one cannot be prepared', async () => {
  const damaged = { ...(await uploaded(2)), envelope: '{}' }
  await expect(evaluate([await uploaded(1), damaged])).rejects.toThrow('cannot be read')
  await pause(300) // leftover files appear by then
  expect(held()).toEqual([])
})

it('stops the runner if an answer cannot be stored, then throws and releases the evidence', async () => {
  const one = await uploaded(1)
  const ended = join(temporary.dir, 'ended')
  const runner = join(temporary.dir, 'runner.mjs')
  const result = { kind: 'evaluated', episodeId: one.episodeId, result: 'agreed', reason: null }
  const line = JSON.stringify({ ...result, after: null })
  writeFileSync(
    runner,
    `import { writeFileSync } from 'node:fs'
console.log(${JSON.stringify(line)})
process.stdin.resume().once('end', () => writeFileSync(${JSON.stringify(ended)}, 'in order'))`,
  )
  useEnv({ PROOFBOARD_RUNNER: runner })
  await expect(evaluate([one])).rejects.toThrow()
  expect(readFileSync(ended, 'utf8')).toBe('in order')
  expect(held()).toEqual([])
})
