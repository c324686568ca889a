import { inspect } from 'node:util'
import { expect } from 'expect'
import { assertionCounts, testPattern } from './expect-guard.ts'
import { noteRefusedWrite } from './guard-writes.ts'
import {
  type Callable,
  fullName,
  type Group,
  type Hook,
  isGroup,
  type TestNode,
} from './test-api.ts'

const nextTurn = setImmediate
const clock = performance.now.bind(performance)
const sourceOf = Function.prototype.toString
const { apply } = Reflect
const NativePromise = Promise

/** Called directly or, in esbuild's output, as `(0, import_globals.expect)(…)`. */
const ASSERTS = /\bexpect\)?\(/

export type TestOutcome = { name: string; ok: boolean; durationMs: number; message: string | null }

type RunOptions = {
  selected: ReadonlySet<TestNode>
  defaultTimeoutMs: () => number
  /** Called after each test; returns a reason if the harness itself is no longer reliable. */
  checkHarness: () => string | null
  onOutcome: (outcome: TestOutcome) => void
  /** Called for a failure outside any single test. */
  onFileError: (message: string) => void
}

/** Runs the selected tests in order, with jest's order of hooks. */
export async function runTests(root: Group, options: RunOptions): Promise<void> {
  await runGroup(root, options, null)
}

const hasSelected = (group: Group, selected: ReadonlySet<TestNode>): boolean =>
  group.children.some((child) =>
    isGroup(child) ? hasSelected(child, selected) : selected.has(child),
  )

async function runGroup(group: Group, options: RunOptions, inherited: Step | null): Promise<void> {
  if (!hasSelected(group, options.selected)) return
  const failed = inherited ?? (await runHooks(group.hooks.beforeAll, options))
  for (const child of group.children) {
    if (isGroup(child)) await runGroup(child, options, failed)
    else if (options.selected.has(child)) await runTest(child, options, failed)
  }
  const after = await runHooks(group.hooks.afterAll, options)
  if (after && !after.ok) {
    options.onFileError(`afterAll: ${describeError(after.error)}`)
  }
}

async function runHooks(hooks: readonly Hook[], options: RunOptions): Promise<Step | null> {
  for (const hook of hooks) {
    const step = await runStep(hook.run, null, hook.timeoutMs ?? options.defaultTimeoutMs())
    if (!step.ok) return step
  }
  return null
}

async function runTest(test: TestNode, options: RunOptions, blocked: Step | null): Promise<void> {
  const startedAt = clock()
  const before = assertionCounts()
  expect.extractExpectedAssertionsErrors()
  const step = blocked ?? (await runWithHooks(test, options))
  // One turn of the event loop, so that an unhandled rejection still belongs to this test.
  await new NativePromise((resolve) => nextTurn(resolve))
  // Results of `expect.assertions(n)` and `expect.hasAssertions()`; canaries count as assertions, too.
  const [unmet] = expect.extractExpectedAssertionsErrors()
  // First of all, so that nothing below runs on a changed language.
  const untrue = options.checkHarness()
  const message = judge(test, step, before) ?? (unmet ? describeError(unmet.error) : untrue)
  options.onOutcome({
    name: fullName(test),
    ok: message === null,
    durationMs: clock() - startedAt,
    message,
  })
}

async function runWithHooks(test: TestNode, options: RunOptions): Promise<Step> {
  const groups: Group[] = []
  for (let group: Group | null = test.parent; group; group = group.parent) groups.unshift(group)
  let result: Step | null = null
  for (const group of groups) result ??= await runHooks(group.hooks.beforeEach, options)
  result ??= await runStep(test.run, test.row, test.timeoutMs ?? options.defaultTimeoutMs())
  for (const group of groups.reverse()) {
    const after = await runHooks(group.hooks.afterEach, options)
    if (result.ok && after) result = after
  }
  return result
}

/** Returns why a test does not pass; null if it does. */
function judge(test: TestNode, step: Step, before: { ran: number; failed: number }): string | null {
  const stray = takeStray()
  const failure = step.ok ? stray : step
  if (test.inverted)
    return failure ? null : 'Failing test passed even though it was supposed to fail.'
  if (failure) return describeError(failure.error)
  const { ran, failed } = assertionCounts()
  if (failed > before.failed) return 'An assertion failed and its error was swallowed.'
  const asserts = ran === before.ran && testPattern(ASSERTS, apply(sourceOf, test.run, []))
  return asserts ? 'The test has assertions, but none was executed.' : null
}

const start = setTimeout
const stop = clearTimeout

type Step = { ok: true } | { ok: false; error: unknown }

let rejectCurrent: ((error: unknown) => void) | null = null
const strays: { error: unknown }[] = []

/** Assigns an uncaught error: it fails the current test, or else the last one. */
export function onStrayError(error: unknown): void {
  if (rejectCurrent) rejectCurrent(error)
  else strays[strays.length] = { error }
}

/** Returns and clears the stray errors. */
export function takeStray(): { error: unknown } | null {
  const first = strays[0] ?? null
  strays.length = 0
  return first
}

/**
 * Runs one test function or hook: synchronous, returning a thenable, or with jest's `done`. Never rejects. A promise
 * that never settles ends with the timeout.
 */
async function runStep(
  run: Callable,
  row: readonly unknown[] | null,
  timeoutMs: number,
): Promise<Step> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new NativePromise<unknown>((resolve, reject) => {
      rejectCurrent = reject
      timer = start(() => reject(new Error(`Exceeded timeout of ${timeoutMs} ms.`)), timeoutMs)
      begin(run, row, resolve, reject)
    })
    return { ok: true }
  } catch (error) {
    return { ok: false, error }
  } finally {
    rejectCurrent = null
    stop(timer)
  }
}

type Settle = (value?: unknown) => void

function begin(
  run: Callable,
  row: readonly unknown[] | null,
  resolve: Settle,
  reject: Settle,
): void {
  const takesDone = row ? run.length > row.length : run.length > 0
  if (takesDone) {
    const done = Object.assign(
      (error?: unknown) => (error === undefined ? resolve() : reject(error)),
      { fail: reject },
    )
    apply(run, undefined, row ? [...row, done] : [done])
    return
  }
  const returned = apply(run, undefined, row ?? [])
  const isObject =
    (typeof returned === 'object' && returned !== null) || typeof returned === 'function'
  const then = isObject ? (returned as { then?: unknown }).then : undefined
  if (typeof then === 'function') apply(then, returned, [() => resolve(), reject])
  else resolve()
}

const show = inspect
const LIMIT = 16 * 1024

/** Describes any thrown value, including null, proxies and objects with throwing getters. */
export function describeError(error: unknown): string {
  try {
    noteRefusedWrite(error)
    const text = errorText(error)
    return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text
  } catch {
    return 'a value was thrown that cannot be described'
  }
}

function errorText(error: unknown): string {
  if ((typeof error !== 'object' && typeof error !== 'function') || error === null)
    return `thrown: ${show(error)}`
  const { stack, message } = error as { stack?: unknown; message?: unknown }
  if (typeof stack === 'string' && stack !== '') return withoutHarness(stack)
  if (typeof message === 'string' && message !== '') return message
  return `thrown: ${show(error, { customInspect: false, showProxy: true, depth: 2 })}`
}

/** Removes frames of the runner and of node, which are irrelevant to a reader. */
function withoutHarness(stack: string): string {
  const lines = stack.split('\n')
  const kept = lines.filter((line) => !/^\s+at .*(node:|gate-child)/.test(line))
  return kept.join('\n')
}
