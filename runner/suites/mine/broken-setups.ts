import type { Digest } from '#lib/domain/digest/index.ts'
import { digestJson } from '#lib/domain/digest/index.ts'
import { type Commit, namesPackages } from './choose-candidate.ts'
import { type Fall, type FallCode, fall } from './fall-reasons.ts'
import { type History, listTree } from './open-history.ts'
import type { TaskSettings } from './write-task.ts'

/** Number of candidates in which no test passes after which their common packages are at fault. */
const MAX_FALLS = 3
const COUNTED = new Set<FallCode>(['none-passes', 'needs-network'])

type Installed = { works: boolean; falls: Fall[]; fails: boolean }

/** Remembers what is installed for a candidate where it does not work, so that no other one is tried with it. */
export class BrokenSetups {
  readonly #known = new Map<Digest, Installed>()

  /** Why a candidate with these packages is not tried; null = it is. */
  find(setup: Digest | null): Fall | null {
    const known = setup === null ? undefined : this.#known.get(setup)
    if (known === undefined || known.works) return null
    return known.fails || known.falls.length >= MAX_FALLS ? (known.falls.at(-1) ?? null) : null
  }

  /** Records the end of a trial; `found` null = it became a task. */
  note(setup: Digest | null, { id }: Commit, found: Fall | null): void {
    if (setup === null) return
    const known = this.#known.get(setup) ?? { works: false, falls: [], fails: false }
    this.#known.set(setup, known)
    if (found === null) known.works = true
    else if (found.code === 'setup-fails' || COUNTED.has(found.code)) {
      known.fails ||= isOfSetup(found)
      known.falls.push(fall(found.code, `as for ${id.slice(0, 10)}, with the same packages`))
    }
  }
}

/** Tests may need a network as well. */
const isOfSetup = ({ code, detail }: Fall) =>
  code === 'setup-fails' || (code === 'needs-network' && detail.includes('the setup command'))

/** Returns what a set-up depends on: its commands and the files that name packages; null = there is none. */
export async function setupKey(
  history: History,
  { parents: [parent = ''] }: Commit,
  { runner: { setup } }: TaskSettings,
): Promise<Digest | null> {
  if (setup.length === 0) return null
  const files = (await listTree(history, parent)).filter(({ path }) => namesPackages(path))
  return digestJson([setup, files.map(({ path, id }) => [path, id])])
}
