import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Digest } from '#lib/domain/digest/index.ts'
import type { ContractResult, TamperFinding } from '#lib/domain/record/index.ts'
import { staleTaskError } from '../runner-error.ts'
import { makeFolder, writeAtomic } from './files.ts'

/** Validity of a check: the date, certificates and programs change. */
const TRUSTED_MS = 3_600_000
const STORED_MS = 24 * TRUSTED_MS
const MAX_TRIES = 2
const MAX_REASON = 500

/** One task on this machine: `key` covers everything that its check depends on except the time. */
export type ReferenceCheck = {
  taskId: string
  key: Digest
  /** Judges the task's own reference. Null = it passes; otherwise what failed. */
  judge: () => Promise<string | null>
}

/**
 * Checks whether a task's own reference passes its tests on this machine; a task that it fails says nothing about any
 * work. Checks are shared by all attempts of a run; with `store`, a folder, later runs reuse passed ones.
 */
export class ReferenceChecks {
  readonly #known = new Map<string, { atMs: number; failure: Promise<string | null> }>()
  readonly #store: string | null

  constructor(store: string | null = null) {
    this.#store = store
  }

  /** Checks before a subject costs anything. Throws a RunnerError for a task whose reference fails. */
  async before(check: ReferenceCheck): Promise<void> {
    if (this.#known.has(check.key) || !(await this.#isStored(check))) await this.after(check)
  }

  /** Checks again after work has failed, unless this process checked recently. Throws like `before`. */
  async after(check: ReferenceCheck): Promise<void> {
    const failure = await this.#judge(check)
    if (failure === null) return
    const reason = `the task is quarantined: its own reference does not pass its tests here now (${failure})`
    throw staleTaskError(reason.slice(0, MAX_REASON))
  }

  #judge(check: ReferenceCheck): Promise<string | null> {
    const known = this.#known.get(check.key)
    if (known !== undefined && Date.now() - known.atMs < TRUSTED_MS) return known.failure
    const failure = this.#run(check)
    this.#known.set(check.key, { atMs: Date.now(), failure })
    // A failure of this machine says nothing about the task.
    failure.catch(() => this.#known.delete(check.key))
    return failure
  }

  /** Runs a check; a failed reference is tried once more. */
  async #run(check: ReferenceCheck): Promise<string | null> {
    let failure: string | null = null
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      failure = await check.judge()
      if (failure === null) break
    }
    await this.#remember(check, failure === null)
    return failure
  }

  async #isStored({ key }: ReferenceCheck): Promise<boolean> {
    if (this.#store === null) return false
    const text = await readFile(fileOf(this.#store, key), 'utf8').catch(() => '')
    const ageMs = Date.now() - Date.parse(text.trim())
    return ageMs >= 0 && ageMs < STORED_MS
  }

  async #remember({ key }: ReferenceCheck, passed: boolean): Promise<void> {
    if (this.#store === null) return
    const file = fileOf(this.#store, key)
    if (!passed) return rm(file, { force: true })
    await makeFolder(this.#store)
    await writeAtomic(file, `${new Date().toISOString()}\n`)
  }
}

function fileOf(store: string, key: Digest): string {
  return join(store, key.slice('sha256:'.length))
}

/** Returns true if work failed by its tests alone, so that the tests may be at fault. */
export function isPlainFailure(
  judged: { contract: ContractResult; findings: readonly TamperFinding[] } | null,
): boolean {
  return judged !== null && judged.contract.verdict === 'fail' && judged.findings.length === 0
}
