import type { Scenario, ScenarioContext } from '../../../../exercises/held-out.ts'
import { describeValue } from './describe-value.ts'
import { createRandom } from './seeded-random.ts'

const nextTurn = setImmediate
const NativePromise = Promise

/** More entries or more text is no observation any more but a flood; the rest is dropped and said so. */
export const MOST_ENTRIES = 20_000
const MOST_ENTRY_TEXT = 8_000
const MOST_TEXT = 4 << 20

/** Plays a scenario with one seed. `write` gets each entry as it is made. Never rejects. */
export async function playScenario(
  scenario: Scenario,
  seed: string,
  write: (entry: string) => void,
): Promise<void> {
  let entries = 0
  let total = 0
  const put = (entry: string): void => {
    const text = entry.length > MOST_ENTRY_TEXT ? `${entry.slice(0, MOST_ENTRY_TEXT)}…` : entry
    total += text.length
    entries++
    if (entries < MOST_ENTRIES && total < MOST_TEXT) write(text)
    else if (entries === MOST_ENTRIES || total - text.length < MOST_TEXT) write('[more]')
  }
  try {
    await scenario(createContext(createRandom(seed), put))
    put('end')
  } catch {
    put('the scenario was interrupted by an error')
  }
}

function createContext(
  random: ScenarioContext['random'],
  put: (entry: string) => void,
): ScenarioContext {
  const record = (label: string, value: unknown): void => put(`${label}: ${safely(value)}`)
  const refused = (label: string, error: unknown, describe?: (error: unknown) => unknown): void =>
    put(`${label}: throws ${describe ? safely(describe(error)) : ''}`)
  return {
    random,
    record,
    attempt: (label, run, describe) => {
      try {
        const value = run()
        record(label, value)
        return value
      } catch (error) {
        refused(label, error, describe)
        return undefined
      }
    },
    settle: async (label, run, describe) => {
      try {
        const value = await run()
        record(label, value)
        return value
      } catch (error) {
        refused(label, error, describe)
        return undefined
      }
    },
    flush: () => new NativePromise<void>((resolve) => nextTurn(() => resolve())),
  }
}

/** A value that throws when it is looked at is an observation, too. */
function safely(value: unknown): string {
  try {
    return describeValue(value)
  } catch {
    return '[cannot be read]'
  }
}
