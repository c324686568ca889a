import type { Settings } from '#lib/domain/settings/index.ts'
import { allocatesUsers } from './allocate-sandbox-uid.ts'
import { bubblewrap } from './bubblewrap.ts'
import { createDocker } from './docker/docker.ts'
import type { Isolation } from './isolation.ts'
import { local } from './local.ts'

/** Returns the isolation of this name, without a check that the machine supports it. */
export function chooseIsolation(level: Settings['isolation']): Isolation {
  switch (level) {
    case 'local':
      return local
    case 'bubblewrap':
      return bubblewrap
    case 'docker':
      return createDocker()
  }
}

type Level = Settings['isolation']

/** The strongest level of this machine and, for each stronger level, the sentence that says why it is unavailable. */
type Strongest = { level: Level; missing: { level: Level; refusal: string }[] }

const STRONGEST_FIRST: readonly Level[] = ['bubblewrap', 'docker']

let known: Promise<Strongest> | null = null

/** Finds the strongest level, once per process, by starting a program at each. */
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

/** The origin of the level: the default (the strongest), the command line, a frozen plan, or the kind of suite. */
export type DecidedBy = 'auto' | 'option' | 'plan' | 'browser'

const BY: Record<DecidedBy, string> = {
  auto: 'strongest here',
  option: 'as asked',
  plan: 'as the plan says',
  browser: 'the only level of a browser suite',
}

/** Describes in one line the level of a subject, where it comes from, and what `local` means for its entries. */
export async function describeIsolation(
  level: Settings['isolation'],
  by: DecidedBy,
): Promise<string> {
  if (level !== 'local') return `isolation: ${level} (${BY[by]}${await missingAbove(level, by)})`
  const why = by === 'auto' ? await missingAbove(level, by) : `, ${BY[by]}`
  return `isolation: local (no sandbox${why}): ${describeExposure()}; rows measured here will not be ranked`
}

async function missingAbove(level: Settings['isolation'], by: DecidedBy): Promise<string> {
  if (by !== 'auto') return ''
  const { missing } = await findStrongest()
  const others = missing.filter((one) => one.level !== level)
  return others.map(({ level: name, refusal }) => `; ${name}: ${refusal}`).join('')
}

/** Describes what a subject at `local` can read, which depends on the runner's user. */
function describeExposure(): string {
  return allocatesUsers()
    ? 'the agent runs as a separate user, which can use this network and read files that every user can read'
    : 'the agent runs as your user and can read everything this user can, such as reference solutions, provider keys, the database, the auth secret and other attempts'
}
