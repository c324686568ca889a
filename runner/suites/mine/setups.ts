import type { Digest } from '#lib/domain/digest/index.ts'
import { digestJson } from '#lib/domain/digest/index.ts'
import type { PreparedBase } from '../../repository/prepare-base.ts'
import { type Commit, namesPackages } from './choose-candidate.ts'
import { type Fall, type FallCode, fall } from './fall-reasons.ts'
import { type History, listTree } from './open-history.ts'
import type { TaskSettings } from './write-task.ts'

/** Number of candidates in which no test passes after which their common packages are at fault. */
const MAX_FALLS = 3
const COUNTED = new Set<FallCode>(['none-passes', 'needs-network'])

type Installed = {
  works: boolean
  falls: Fall[]
  fails: boolean
  /** The newest base; its successor waits for it. */
  base: Promise<PreparedBase | null>
}

/**
 * The packages installed for the candidates of a call. Candidates with the same packages start from those of the one
 * before; if these do not work, no further candidate is tried.
 */
export class Setups {
  readonly #known = new Map<Digest, Installed>()

  /** Prepares the base of a candidate. */
  async prepare(
    setup: Digest | null,
    make: (seed: PreparedBase | null) => Promise<PreparedBase>,
  ): Promise<PreparedBase> {
    if (setup === null) return make(null)
    const known = this.#open(setup)
    const before = known.base
    const made = before.then(make)
    known.base = made.catch(() => before)
    return made
  }

  /** Why a candidate with these packages is not tried; null = it is. */
  find(setup: Digest | null): Fall | null {
    const known = setup === null ? undefined : this.#known.get(setup)
    if (known === undefined || known.works) return null
    return known.fails || known.falls.length >= MAX_FALLS ? (known.falls.at(-1) ?? null) : null
  }

  /** Records the end of a trial; `found` null = it became a task. */
  note(setup: Digest | null, { id }: Commit, found: Fall | null): void {
    if (setup === null) return
    const known = this.#open(setup)
    if (found === null) known.works = true
    else if (found.code === 'setup-fails' || COUNTED.has(found.code)) {
      known.fails ||= isOfSetup(found)
      known.falls.push(fall(found.code, `as for ${id.slice(0, 10)}, with the same packages`))
    }
  }

  #open(setup: Digest): Installed {
    const fresh = { works: false, falls: [], fails: false, base: Promise.resolve(null) }
    const known = this.#known.get(setup) ?? fresh
    this.#known.set(setup, known)
    return known
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
