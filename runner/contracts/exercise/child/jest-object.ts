import { ModuleMocker } from 'jest-mock'
import { brandMock } from './expect-guard.ts'

type Mock = (...given: never[]) => object

/** The parts of `jest` that make sense without jest: mocks, spies and the default time-out. */
export function createJestObject(setTimeoutMs: (timeoutMs: number) => void): Record<string, unknown> {
  const mocker = new ModuleMocker(globalThis)
  const branded =
    (make: Mock) =>
    (...given: unknown[]) =>
      brandMock((make as (...inner: unknown[]) => object).apply(mocker, given))
  const jest: Record<string, unknown> = {
    fn: branded(mocker.fn as unknown as Mock),
    spyOn: branded(mocker.spyOn as unknown as Mock),
    mocked: (source: unknown) => source,
    isMockFunction: (value: unknown) => mocker.isMockFunction(value),
    clearAllMocks: () => (mocker.clearAllMocks(), jest),
    resetAllMocks: () => (mocker.resetAllMocks(), jest),
    restoreAllMocks: () => (mocker.restoreAllMocks(), jest),
    setTimeout: (timeoutMs: number) => (setTimeoutMs(timeoutMs), jest),
    retryTimes: () => jest,
  }
  for (const name of ['useFakeTimers', 'useRealTimers', 'advanceTimersByTime', 'runAllTimers', 'mock', 'unmock', 'requireActual', 'isolateModules', 'resetModules']) {
    jest[name] = () => {
      throw new Error(`jest.${name}() is not supported by this gate`)
    }
  }
  jest['useRealTimers'] = () => jest
  return jest
}
