import type { SubjectDriver } from '../subjects/subject-driver.ts'
import type { EnvironmentAdapter } from './environment-adapter.ts'

/** The environment of a plan with arms: each arm, by name, has a driver of its own. */
export function armsAdapter(
  drivers: ReadonlyMap<string, SubjectDriver>,
  adapterOf: (driver: SubjectDriver) => EnvironmentAdapter,
): EnvironmentAdapter {
  const adapters = new Map([...drivers].map(([name, driver]) => [name, adapterOf(driver)]))
  const all = [...adapters.values()]
  const nothing = async () => {}
  return {
    mode: all[0]?.mode ?? 'skip',
    secrets: [...new Set(all.flatMap(({ secrets }) => secrets))],
    open: nothing,
    enter: async (context) => {
      const adapter = adapters.get(context.slot.arm ?? '')
      if (!adapter) throw new Error(`no adapter for the arm ${context.slot.arm}`)
      return adapter.enter(context)
    },
    close: nothing,
  }
}
