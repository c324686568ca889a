import { join } from 'node:path'
import { createGate } from '../contracts/exercise/create-gate.ts'
import type { Gate } from '../contracts/exercise/gate-types.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { findSuitePlace } from '../suites/find-suite.ts'
import { type LoadedSuite, loadSuite } from '../suites/load-suite.ts'
import { dataFolder } from '../suites/project-paths.ts'

/** A gate that is started on first use and closed at the end, whatever happened. */
export class LazyGate {
  #gate: Gate | null = null

  get = (): Gate => {
    this.#gate ??= createGate()
    return this.#gate
  }

  close = async (): Promise<void> => {
    await this.#gate?.close()
    this.#gate = null
  }
}

/** Loads the suite that a person named, by id or by path. */
export async function openSuite(
  nameOrPath: string,
  gate: LazyGate,
): Promise<LoadedSuite & { folder: string }> {
  const place = findSuitePlace(nameOrPath, dataFolder(OWN_ENV))
  return { ...(await loadSuite(place, gate.get)), folder: place.folder }
}

/** Where a run goes when nobody said where. */
export function defaultOut(runId: string): string {
  return join(dataFolder(OWN_ENV), 'runs', runId)
}
