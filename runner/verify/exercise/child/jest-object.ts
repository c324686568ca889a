import { ModuleMocker } from 'jest-mock'
import { brandMock } from './expect-guard.ts'

type Mock = (...given: never[]) => object

/** Creates the parts of `jest` that make sense without jest: mocks, spies and the default timeout. */
export function createJestObject(
  setTimeoutMs: (timeoutMs: number) => void,
): Record<string, unknown> {
  const mocker = new ModuleMocker(globalThis)
  const branded =
    (make: Mock) =>
    (...given: unknown[]) =>
      brandMock((make as (...inner: unknown[]) => object).apply(mocker, given))
  const chained =
    (act: (timeoutMs: number) => void) =>
    (timeoutMs: number): object => {
      act(timeoutMs)
      return jest
    }
  const jest: Record<string, unknown> = {
    fn: branded(mocker.fn as unknown as Mock),
    spyOn: branded(mocker.spyOn as unknown as Mock),
    mocked: (source: unknown) => source,
    isMockFunction: (value: unknown) => mocker.isMockFunction(value),
    clearAllMocks: chained(() => mocker.clearAllMocks()),
    resetAllMocks: chained(() => mocker.resetAllMocks()),
    restoreAllMocks: chained(() => mocker.restoreAllMocks()),
    setTimeout: chained(setTimeoutMs),
    retryTimes: chained(() => undefined),
    useRealTimers: chained(() => undefined),
  }
  for (const name of [
    'useFakeTimers',
    'advanceTimersByTime',
    'runAllTimers',
    'mock',
    'unmock',
    'requireActual',
    'isolateModules',
    'resetModules',
  ]) {
    jest[name] = () => {
      throw new Error(`jest.${name}() is not supported by this gate`)
    }
  }
  return jest
}
