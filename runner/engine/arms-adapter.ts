import type { Arm } from '#lib/domain/record/index.ts'
import { unknownActivation } from '../gateway/activation-watch.ts'
import type { SubjectContext, SubjectDriver } from '../subjects/subject-driver.ts'
import type { EnvironmentAdapter } from './environment-adapter.ts'
import { runSubject, type SubjectResult } from './run-subject.ts'

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

/** The subject's part, which says of an arm whether it was seen, even where nothing could see it. */
export async function playArm(
  arm: Arm | undefined,
  driver: SubjectDriver,
  turn: SubjectContext,
): Promise<SubjectResult> {
  const result = await runSubject(driver, turn)
  const { activation = arm && unknownActivation(arm) } = result.ending
  return { ...result, ending: { ...result.ending, activation } }
}
