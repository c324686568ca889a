import type { Settings } from '#lib/domain/plan.ts'
import { chooseIsolation } from './choose-isolation.ts'

type Level = Settings['isolation']

/** The strongest level that this machine has, and for each stronger one the sentence that says why it is missing. */
export type Strongest = { level: Level; missing: { level: Level; refusal: string }[] }

const STRONGEST_FIRST: readonly Level[] = ['bubblewrap', 'docker']

let known: Promise<Strongest> | null = null

/** Looks once per process: each level is tried by starting a program in it. */
export function findStrongest(): Promise<Strongest> {
  known ??= look()
  return known
}

async function look(): Promise<Strongest> {
  const missing: Strongest['missing'] = []
  for (const level of STRONGEST_FIRST) {
    const refusal = await chooseIsolation(level).available()
    if (refusal === null) return { level, missing }
    missing.push({ level, refusal })
  }
  return { level: 'local', missing }
}
